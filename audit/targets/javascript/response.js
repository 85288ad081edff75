// Randomised response: the bit with probability e / (1 + e), to 47 binary digits, or else the other one. Its epsilon is 1, but for
// less than 1e-13.
const { serve } = require("./adapter.js");
const { randomInt } = require("node:crypto");

const TRUTH = Math.E / (1 + Math.E);

serve(([bit]) => (randomInt(2 ** 47) < TRUTH * 2 ** 47 ? bit : 1 - bit));
