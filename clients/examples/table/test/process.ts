/** A program that a test starts, kills and starts again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export class Program {
  #child: ChildProcess | null = null;
  #errors = "";

  constructor(
    readonly command: string,
    readonly args: readonly string[],
    readonly env: NodeJS.ProcessEnv,
    readonly cwd: string,
  ) {}

  /** Start it; the first line that it prints. An Error with what it wrote when it ends instead. */
  async start(): Promise<string> {
    const child = spawn(this.command, this.args, { cwd: this.cwd, env: { ...process.env, ...this.env } });
    this.#child = child;
    child.stderr.on("data", (chunk: Buffer) => (this.#errors += chunk.toString()));
    for await (const line of createInterface(child.stdout)) {
      child.stdout.resume();
      return line;
    }
    throw new Error(`${[this.command, ...this.args].join(" ")} did not start: ${this.#errors}`);
  }

  /** Whatever it wrote to its standard error since the first start. */
  get errors(): string {
    return this.#errors;
  }

  /** End it at once, as `kill -9` does. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Let it neither run nor end until it is released. */
  hold(): void {
    this.#child?.kill("SIGSTOP");
  }

  release(): void {
    this.#child?.kill("SIGCONT");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }
}
