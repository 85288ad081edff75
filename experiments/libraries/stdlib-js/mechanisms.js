// Laplace noise of @stdlib/random-base-laplace on a value, as one would add it. The package draws numbers and claims no
// privacy: this shows what its use in a mechanism would cost.
"use strict";
const readline = require("readline");
const laplace = require("@stdlib/random-base-laplace");

const mechanisms = {
  laplace: (data) => data[0] + laplace(0, 1),
  "laplace-rounded": (data) => Math.round((data[0] + laplace(0, 1)) * 1e6),
};
const mechanism = mechanisms[process.argv[2]];

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { data, n } = JSON.parse(line);
  const answers = [];
  for (let i = 0; i < n; i += 1) {
    // The shortest digits that are read as the same double.
    answers.push(JSON.stringify(mechanism(data)));
  }
  process.stdout.write(answers.join("\n") + "\n");
});
