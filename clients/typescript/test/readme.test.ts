import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { servers } from "./servers.js";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

test("the program of the README has the types that it should, and does what it should", { timeout: 120_000 }, () => {
  const [, program = ""] = /```ts\n([^`]*)```/.exec(readFileSync(join(PACKAGE, "README.md"), "utf8")) ?? [];
  assert.ok(program.split("\n").length < 15, program);
  const folder = join(PACKAGE, "build", "readme");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "readme.ts"), program.replace("127.0.0.1:50051", servers.plain));
  const settings = { extends: "../../tsconfig.base.json", include: ["readme.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  execFileSync(join(PACKAGE, "node_modules", ".bin", "tsc"), ["--build", folder], { stdio: "inherit" });
  const printed = execFileSync(process.execPath, [join(folder, "readme.js")], { encoding: "utf8" });
  const ranks = printed.split("\n").filter((line) => /^ \d /.test(line));
  assert.equal(ranks.length, 7, printed);
  assert.match(ranks[2] ?? "", /^ 5( +\.){3} +1\?<( +\.){3}$/, "seat 2 sees the back of what came to d5");
  assert.match(ranks[0] ?? "", /^ 7( +2[GL]){7} *$/, "and its own pieces");
});
