// Search and filters of the list of claims. Their state stands in the link, so that what is found can be sent to others.
(() => {
  const form = document.querySelector("form.find");
  const lines = [...document.querySelectorAll("ol.claims > li")];
  const texts = lines.map((line) => line.textContent.toLowerCase());
  const filters = ["status", "kind", "version"];
  const show = () => {
    const words = form.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    lines.forEach((line, at) => {
      const fits =
        words.every((word) => texts[at].includes(word)) &&
        filters.every((name) => !form[name].value || line.dataset[name] === form[name].value);
      line.hidden = !fits;
      found += fits;
    });
    for (const part of document.querySelectorAll(".of-paper")) {
      part.hidden = [...part.querySelectorAll("li")].every((line) => line.hidden);
    }
    form.querySelector("output").textContent = found + " of " + lines.length;
  };
  const read = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const name of ["q", ...filters]) form[name].value = state.get(name) || "";
    show();
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const state = new URLSearchParams();
    for (const name of ["q", ...filters]) if (form[name].value) state.set(name, form[name].value);
    history.replaceState(null, "", "#" + state);
    show();
  });
  addEventListener("hashchange", read);
  read();
})();
