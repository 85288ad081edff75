// A sum with Laplace noise by inversion, in doubles: private on paper, and not in its lowest bits.
const { serve } = require("./adapter.js");

function laplace(scale) {
  const uniform = Math.random() - 0.5;
  return -scale * Math.sign(uniform) * Math.log(1 - 2 * Math.abs(uniform));
}

serve((data) => data.reduce((a, b) => a + b, 0) + laplace(1));
