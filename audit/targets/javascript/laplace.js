// A sum with Laplace noise by inversion, in doubles: private on paper, and not in its lowest bits.
const lines = require("readline").createInterface({ input: process.stdin });

function laplace(scale) {
  const uniform = Math.random() - 0.5;
  return -scale * Math.sign(uniform) * Math.log(1 - 2 * Math.abs(uniform));
}

lines.on("line", (line) => {
  const { data, n } = JSON.parse(line);
  const sum = data.reduce((a, b) => a + b, 0);
  let reply = "";
  for (let i = 0; i < n; i++) {
    const value = sum + laplace(1);
    // JSON has no infinities, and drops the sign of -0.
    reply += Object.is(value, -0) ? "-0.0\n" : Number.isFinite(value) ? value + "\n" : `"${value > 0 ? "inf" : "-inf"}"\n`;
  }
  process.stdout.write(reply);
});
