// A sum with Laplace noise by inversion, in doubles: private on paper, and not in its lowest bits.
const lines = require("readline").createInterface({ input: process.stdin });

function laplace(scale) {
  const uniform = Math.random() - 0.5;
  return -scale * Math.sign(uniform) * Math.log(1 - 2 * Math.abs(uniform));
}

// Decimal digits keep the bits of a double, but JSON has no infinities and no NaN, and JavaScript drops the sign of -0.
// "Infinity" in quotes would be a label.
function line(value) {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? '"nan"' : value > 0 ? '"inf"' : '"-inf"';
}

lines.on("line", (request) => {
  const { data, n } = JSON.parse(request);
  const sum = data.reduce((a, b) => a + b, 0);
  let reply = "";
  for (let i = 0; i < n; i++) {
    const value = sum + laplace(1);
    reply += line(value) + "\n";
  }
  process.stdout.write(reply);
});
