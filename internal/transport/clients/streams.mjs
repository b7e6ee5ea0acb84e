// @durable-streams/client against a conversation: node streams.mjs URL N TOKEN CONTROL. Reads
// N frames by long polls and over events; after the first of them it asks CONTROL, which kills
// the server and starts it again. Prints the numbers of the frames. Run by TestStreamsResume.
import { stream } from "@durable-streams/client";

const [url, n, token, control] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const seen = {};
for (const live of ["long-poll", "sse"]) {
  const frames = seen[live] = [];
  const res = await stream({ url, offset: "-1", headers, live });
  await new Promise((done) => {
    const stop = res.subscribeJson(async (batch) => {
      if (frames.length === 0) {
        await fetch(`${control}/${live}`);
      }
      frames.push(...batch.items.map((one) => one.seq));
      if (frames.length >= Number(n) + (live === "sse" ? 3 : 0)) {
        stop();
        done();
      }
    });
  });
}
console.log(JSON.stringify(seen));
process.exit(0);
