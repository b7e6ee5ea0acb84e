// Runs the official suite for servers of Durable Streams: node streams-suite.mjs URL. Prints
// {"passed":[…],"failed":[…]}, the names of cases. Run by TestSuite of internal/transport/streams.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const dir = mkdtempSync(join(tmpdir(), "limn-suite-"));
try {
  const out = join(dir, "report.json");
  const ran = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "streams.test.mjs",
    "--reporter=json", `--outputFile=${out}`, "--testTimeout=15000", "--maxConcurrency=5"],
  { env: { ...process.env, CONFORMANCE_TEST_URL: process.argv[2] }, encoding: "utf8" });
  const passed = [], failed = [];
  let report;
  try {
    report = JSON.parse(readFileSync(out, "utf8"));
  } catch {
    throw new Error(ran.stdout + ran.stderr);
  }
  for (const one of report.testResults.flatMap((file) => file.assertionResults)) {
    const name = [...one.ancestorTitles, one.title].join(" > ");
    if (one.status === "passed") passed.push(name);
    else if (one.status === "failed") failed.push(name + (process.argv[3] ? "\n  " + one.failureMessages.join("\n  ") : ""));
  }
  console.log(JSON.stringify({ passed, failed }));
} finally {
  rmSync(dir, { recursive: true });
}
