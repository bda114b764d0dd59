/** The servers and vectors that the tests are run against, named by the environment. */
export const servers = {
  /** A server without keys that everybody may call. */
  plain: variable("SHINPAN_PLAIN"),
  /** A server that seals states. */
  sealed: variable("SHINPAN_SEALED"),
  /** A server that wants a bearer token. */
  guarded: variable("SHINPAN_GUARDED"),
  /** An address where nobody listens. */
  away: variable("SHINPAN_AWAY"),
  /** An address where connections are taken and nothing is ever said. */
  silent: variable("SHINPAN_SILENT"),
  /** An address where calls are answered by the script that tests/clients/languages.py tells. */
  scripted: variable("SHINPAN_SCRIPTED"),
};

/** A token that the guarded server knows. */
export const bearer = variable("SHINPAN_BEARER");

/** The folder of the conformance vectors. */
export const vectors = variable("SHINPAN_VECTORS");

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set; make test-clients starts the servers and sets it`);
  }
  return value;
}
