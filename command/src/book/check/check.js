// The page that checks: it hands questions to the exact core, in a worker, and shows what comes back. It computes nothing itself.
(() => {
  // The worker: a question goes in byte by byte, and its answer comes out byte by byte.
  const work = () => {
    let core;
    onmessage = ({ data }) => {
      try {
        core ??= new WebAssembly.Instance(data.module, {}).exports;
        for (const byte of new TextEncoder().encode(data.question)) core.put(byte);
        const answer = Uint8Array.from({ length: core.ask() }, (_, at) => core.take(at));
        postMessage(new TextDecoder().decode(answer));
      } catch (error) {
        core = undefined;
        postMessage(JSON.stringify({ error: "the core stopped, which is a defect: please report it (" + error + ")" }));
      }
    };
  };

  let module, worker, waiting;
  const bytes = () => Uint8Array.from(atob(CORE), (letter) => letter.charCodeAt(0));
  // One question at a time: another one, or a press of Stop, ends it.
  const stop = () => {
    if (!waiting) return;
    worker.terminate();
    worker = undefined;
    waiting({ stopped: true });
    waiting = undefined;
  };
  const ask = async (question) => {
    stop();
    module ??= WebAssembly.compile(bytes());
    const compiled = await module;
    stop();
    worker ??= new Worker(URL.createObjectURL(new Blob(["(" + work + ")()"], { type: "text/javascript" })));
    const answer = new Promise((done) => (waiting = done));
    worker.onmessage = ({ data }) => {
      const done = waiting;
      waiting = undefined;
      done(JSON.parse(data));
    };
    worker.postMessage({ module: compiled, question: JSON.stringify(question) });
    return answer;
  };

  // What is shown.
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  // A decimal in scientific notation as people write it, where that is short.
  const plain = (text) => {
    const [, sign, mantissa, exponent] = /^(-?)([\d.]+)(?:e(-?\d+))?$/.exec(text) ?? [];
    const places = Number(exponent ?? 0);
    if (!mantissa || places > 0 || places < -5) return text;
    const digits = mantissa.replace(".", "");
    return sign + (places === 0 ? mantissa : "0." + "0".repeat(-places - 1) + digits);
  };
  // Two ends as the digits that both have, and the rest of each.
  const between = ([lo, hi]) => {
    const cell = make("span");
    const [one, other] = [plain(lo), plain(hi)];
    if (one === other) return cell.append(one), cell;
    let same = 0;
    while (one[same] === other[same] && one.length === other.length) same += 1;
    if (same > 3) cell.append(one.slice(0, same), make("small", one.slice(same) + " to " + other.slice(same)));
    else cell.append(one + " to " + other);
    return cell;
  };
  const table = (heads, rows) => {
    const all = make("table");
    const head = all.createTHead().insertRow();
    for (const text of heads) {
      const cell = make("th", text);
      cell.scope = "col";
      head.append(cell);
    }
    const body = all.createTBody();
    for (const cells of rows) {
      const row = body.insertRow();
      for (const cell of cells) row.insertCell().append(cell);
    }
    const scroll = make("div", undefined, "scroll");
    scroll.tabIndex = 0;
    scroll.append(all);
    return scroll;
  };
  const verdict = (status, sign, words) => {
    const line = make("p", undefined, "verdict " + status);
    const shown = make("span", sign + " ", "status " + status);
    line.append(shown, words);
    return line;
  };
  const number = (text) => Number(text);

  const values = (form) => Object.fromEntries(new FormData(form));
  const law = ({ law, parameter, broken }) => ({ law, parameter: parameter.trim(), broken: broken === "yes" });

  const explored = (answer) => {
    const most = Math.max(...answer.outcomes.map((row) => Math.max(number(row.found[0]), number(row.stated[1]))));
    const rows = answer.outcomes.map((row) => {
      const bar = make("div", undefined, "found");
      bar.setAttribute("aria-hidden", "true");
      const [sure, mark] = [make("i"), make("b")];
      sure.style.width = (100 * number(row.found[0])) / most + "%";
      mark.style.left = (100 * number(row.stated[0])) / most + "%";
      bar.append(sure, mark);
      const outcome = make("span", (row.allowed ? "" : "✗ ") + row.outcome, row.allowed ? "" : "refuted status");
      return [outcome, bar, between(row.found), between(row.stated)];
    });
    const said = answer.compared + " outcomes, " + answer.runs.toLocaleString("en") + " runs, " + answer.undecided + " of all probability undecided.";
    const twin = answer.mistake ? " The broken twin " + answer.mistake + "." : "";
    const line = answer.ruled_out
      ? verdict("refuted", "✗ Not the stated law", ": that of outcome " + answer.ruled_out + " is ruled out. " + said + twin)
      : verdict("checked", "✓ No stated probability is ruled out", ": " + said + twin);
    return [line, table(["Outcome", "", "Found", "Stated"], rows)];
  };

  // Each part: what it asks, and how it shows the answer.
  const parts = {
    async *explore(form) {
      const asked = values(form);
      for (const runs of [200, 1000, 4000]) {
        const answer = await ask({ ask: "explore", ...law(asked), coins: asked.coins, runs });
        yield { answer, show: explored };
        if (answer.error || answer.stopped || answer.runs < runs) return;
      }
    },
    async *truth(form) {
      const asked = values(form);
      const epsilon = String(Number(asked.epsilon) / 100);
      const subject = asked.law + "=" + asked.parameter.trim();
      const question = { subject, quantity: "profile", shift: asked.shift.trim(), epsilon, digits: 20 };
      yield* certified(question, "truth");
    },
    async *draw(form) {
      const asked = values(form);
      const count = Number(asked.count);
      let coins = "";
      for (let answer = { more: true }; answer.more; ) {
        const fresh = crypto.getRandomValues(new Uint8Array(Math.max(4096, coins.length / 2)));
        coins += Array.from(fresh, (byte) => byte.toString(16).padStart(2, "0")).join("");
        answer = await ask({ ask: "draw", ...law(asked), count, coins });
        if (!answer.more) yield { answer, show: drawn };
      }
    },
    async *account(form) {
      const asked = values(form);
      const subject = ["rate", "deviation", "steps"].map((name) => name + "=" + asked[name].trim()).join(" ");
      yield* certified({ subject: "subsampled-gaussian " + subject, quantity: "epsilon", delta: asked.delta.trim(), digits: 6 }, "account");
    },
  };

  parts.outputs = async function* (form) {
    // Coins that nobody knew when the outputs came.
    const seed = Number(crypto.getRandomValues(new BigUint64Array(1))[0] >> 11n);
    const answer = await ask({ ask: "outputs", ...values(form), seed });
    yield { answer, show: judged };
  };
  const judged = ({ conclusion, text }) => {
    const line = conclusion === "refuted" ? verdict("refuted", "✗", "The claim is refuted.") : verdict("open", "○", "The claim is not refuted by these outputs.");
    return [line, make("pre", text)];
  };

  // What `assay truth` prints, and the command that prints it.
  async function* certified(question, part) {
    const options = ["quantity", "shift", "epsilon", "delta", "digits"].filter((name) => question[name] !== undefined);
    const command = "assay truth " + question.subject + options.map((name) => " --" + name + " " + question[name]).join("");
    document.querySelector(`[data-command=${part}]`).textContent = command;
    const answer = await ask({ ask: "truth", ...question, format: "table" });
    yield { answer, show: ({ text }) => [make("pre", text)] };
  }

  const drawn = ({ drawn, bits }) => {
    const counts = new Map();
    for (const value of drawn) counts.set(value, (counts.get(value) ?? 0) + 1);
    const said = drawn.length.toLocaleString("en") + " draws took " + bits.toLocaleString("en") + " coins, " + (bits / drawn.length).toFixed(1) + " each.";
    const list = make("pre", drawn.join(" "), "drawn");
    list.tabIndex = 0;
    return [make("p", said), list];
  };

  const latest = {};
  const run = async (form) => {
    const name = form.dataset.part;
    const answers = document.querySelector(`.answer[data-part=${name}]`);
    const button = form.querySelector(".stop");
    const start = performance.now();
    const mine = (latest[name] = {});
    button.hidden = false;
    form.setAttribute("aria-busy", "true");
    try {
      for await (const { answer, show } of parts[name](form)) {
        if (answer.stopped) break;
        const shown = answer.error ? [verdict("open", "○ No answer", ": " + answer.error)] : show(answer);
        const took = ((performance.now() - start) / 1000).toFixed(2);
        answers.replaceChildren(...shown, make("p", "In this page, in " + took + " s.", "label"));
      }
    } finally {
      // Another press of the same button goes on.
      if (latest[name] === mine) {
        button.hidden = true;
        form.removeAttribute("aria-busy");
      }
    }
  };

  for (const form of document.querySelectorAll("form.ask")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      run(form);
    });
    form.querySelector(".stop").addEventListener("click", stop);
    // Noise of scale 1 around 0 and around 1, of which the claim of epsilon 1/2 is false.
    form.querySelector(".example")?.addEventListener("click", async () => {
      const coins = () => Array.from(crypto.getRandomValues(new Uint8Array(1 << 16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
      const noise = async () => (await ask({ ask: "draw", law: "discrete-laplace", parameter: "1", count: 4000, coins: coins() })).drawn;
      form.first.value = (await noise()).join("\n");
      form.second.value = (await noise()).map((value) => Number(value) + 1).join("\n");
      form.epsilon.value = "1/2";
    });
    // A law brings a parameter that fits it.
    form.law?.addEventListener("change", () => (form.parameter.value = form.law.selectedOptions[0].dataset.parameter));
    const slider = form.querySelector("[type=range]");
    slider?.addEventListener("input", () => {
      form.querySelector("output").value = Number(slider.value) / 100;
      run(form);
    });
  }
})();
