/** Requests to the backend over HTTP. */

/** GET, or POST with a body; an Error with the backend's message when it refuses. */
export async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(path, body ? { method: "POST", body: JSON.stringify(body) } : {});
  const answer = (await response.json()) as unknown;
  if (!response.ok) throw new Error((answer as { message: string }).message);
  return answer as T;
}

export function query(values: Record<string, string>): string {
  return new URLSearchParams(values).toString();
}
