"use strict";
(() => {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  root.dataset.script = "on";

  /** make returns an element with attributes; children are elements or texts. */
  function make(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    e.append(...children);
    return e;
  }

  /** isolated keeps a name from turning the direction of what is beside it. */
  const isolated = (text) => make("bdi", null, text);

  /** written is a number with some decimals. */
  const written = (x, places) => x.toFixed(places).replace("-", "−");

  const signed = (x) => (x < 0 ? "−" : "+") + Math.abs(x).toPrecision(3);

  // The theme: that of the system until the button is used.
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const theme = byId("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  function showTheme() {
    theme.setAttribute("aria-pressed", String(isDark()));
  }
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  dark.addEventListener("change", showTheme);
  showTheme();

  // A box whose contents are wider than it is says so; the right of a picture may be empty.
  function wide(box) {
    const picture = box.querySelector(".figure");
    if (!picture) return box.scrollWidth > box.clientWidth;
    const drawn = picture.getBBox(), width = picture.viewBox.baseVal.width;
    return (drawn.x + drawn.width) * picture.clientWidth / width > box.clientWidth;
  }
  const widths = new ResizeObserver(() => {
    for (const box of document.querySelectorAll(".scroll")) box.toggleAttribute("data-wide", wide(box));
  });
  for (const e of document.querySelectorAll(".scroll, .scroll > *")) widths.observe(e);

  // Tracks.
  const svgNamespace = "http://www.w3.org/2000/svg";
  function draw(name, attributes, text) {
    const e = document.createElementNS(svgNamespace, name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    if (text !== undefined) e.textContent = text;
    return e;
  }

  const bases = { A: "a", C: "c", G: "g", T: "t", U: "t" };
  const isNucleic = (letters) => /^[ACGTUN.-]*$/i.test(letters);

  /** strongest names the units with the greatest contributions. */
  function strongest(track) {
    const units = track.words || track.letters;
    const order = track.values.map((_, i) => i).filter((i) => track.values[i] !== 0);
    order.sort((i, j) => Math.abs(track.values[j]) - Math.abs(track.values[i]) || i - j);
    const name = (i) => (track.words ? `“${units[i]}”` : units[i] + (track.first + i));
    return order.slice(0, 5).map((i) => `${name(i)} ${signed(track.values[i] * track.scale)}`).join(", ");
  }

  const column = 11, half = 9.2, capital = 7.3, tall = 96; // widths of a column and a letter, height of a capital, of the greatest row

  const span = (t) => Math.max(0, ...t.values) + Math.max(0, ...t.values.map((v) => -v));
  const greatest = (t) => Math.max(0, ...t.values.map(Math.abs));
  /** reach is that of the track with the greatest one: all tracks have one scale. */
  const reach = (data.tracks || []).reduce((most, t) => Math.max(most, t.scale * (t.words ? greatest(t) : span(t))), 0);

  /** letterRow draws letters from … to, as tall as their contributions. */
  function letterRow(picture, track, from, to, top, up, foot, scale, nucleic) {
    const axis = top + up * scale;
    picture.append(draw("line", { x1: 0, x2: (to - from) * column, y1: axis, y2: axis }));
    for (let i = from; i < to; i++) {
      const value = track.values[i], letter = track.letters[i];
      const x = (i - from) * column + (column - half) / 2;
      const height = Math.abs(value) * scale;
      if (height >= 0.4) {
        const kind = nucleic ? bases[letter.toUpperCase()] || "plain" : value < 0 ? "down" : "up";
        const e = draw("text", {
          class: kind, textLength: half, lengthAdjust: "spacingAndGlyphs",
          transform: `translate(${x.toFixed(2)} ${(value < 0 ? axis + height : axis).toFixed(2)}) scale(1 ${(height / capital).toFixed(3)})`,
        }, letter);
        e.append(draw("title", {}, `${letter} ${track.first + i}: ${signed(value * track.scale)}`));
        picture.append(e);
      }
      picture.append(draw("text", { class: "plain", x: x, y: foot + 10, textLength: half, lengthAdjust: "spacingAndGlyphs" }, letter));
      if ((track.first + i) % 10 === 0) {
        picture.append(draw("text", { class: "place", x: x + half / 2, y: foot + 20, "text-anchor": "middle" }, track.first + i));
      }
    }
  }

  function drawLetters(track, width) {
    const n = track.values.length;
    const perRow = Math.min(n, Math.max(20, Math.floor(width / column / 10) * 10));
    const up = Math.max(0, ...track.values), scale = reach > 0 ? tall * track.scale / reach : 0;
    const high = span(track) * scale, rows = Math.ceil(n / perRow), step = high + 28;
    const picture = draw("svg", {
      viewBox: `0 0 ${perRow * column} ${rows * step}`, width: perRow * column, height: rows * step, role: "img",
      "aria-label": `Contributions of ${n} letters; the greatest: ${strongest(track) || "none"}`,
    });
    const nucleic = isNucleic(track.letters);
    for (let row = 0; row < rows; row++) {
      const top = row * step + 2;
      letterRow(picture, track, row * perRow, Math.min(n, (row + 1) * perRow), top, up, top + high, scale, nucleic);
    }
    return picture;
  }

  const faint = 0.04; // of the greatest: what is less is not marked

  function drawWords(track) {
    const text = make("p", { class: "words" });
    track.words.forEach((word, i) => {
      const value = track.values[i] * track.scale, share = reach > 0 ? Math.abs(value) / reach : 0;
      const marked = make("span", { title: signed(value) }, isolated(word));
      if (share >= faint) {
        marked.className = value < 0 ? "minus" : "plus";
        marked.style.setProperty("--share", (40 * share).toFixed(0) + "%");
      }
      text.append(marked, " ");
    });
    return text;
  }

  function drawTrack(track, width) {
    const e = make("div", { class: "track" }, make("h4", null, isolated(track.title)), make("p", null, isolated(track.text)));
    const n = track.values.length;
    if (n < track.of) {
      e.append(make("p", null, `The ${track.words ? "words" : "letters"} ${track.first} to ${track.first + n - 1} of ${track.of}, where contributions are greatest.`));
    }
    e.append(track.words ? drawWords(track) : drawLetters(track, width));
    e.append(make("p", null, `Greatest: ${strongest(track) || "none"}`));
    return e;
  }

  function showTracks() {
    const list = byId("track-list"), choice = byId("track-group"), more = byId("track-more");
    const perStep = 5;
    let shown = perStep;
    const counts = data.groups.map((_, g) => data.tracks.filter((t) => t.group === g).length);
    choice.append(make("option", { value: -1 }, `all ${data.tracks.length}`));
    data.groups.forEach((name, g) => choice.append(make("option", { value: g }, `${name} (${counts[g]})`)));
    choice.value = String(Math.max(0, counts.findIndex((n) => n > 0)));
    function show() {
      const chosen = data.tracks.filter((t) => choice.value === "-1" || t.group === Number(choice.value));
      for (let k = list.children.length; k < Math.min(shown, chosen.length); k++) {
        list.append(drawTrack(chosen[k], list.clientWidth));
      }
      more.disabled = shown >= chosen.length;
      byId("track-status").textContent = `${Math.min(shown, chosen.length)} of ${chosen.length} shown: ${choice.selectedOptions[0].textContent}`;
    }
    function restart() {
      list.replaceChildren();
      show();
    }
    choice.addEventListener("change", () => {
      shown = perStep;
      restart();
    });
    more.addEventListener("click", () => {
      shown += perStep;
      show();
    });
    let width = list.clientWidth, waiting = 0;
    window.addEventListener("resize", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        if (list.clientWidth !== width) {
          width = list.clientWidth;
          restart();
        }
      }, 150);
    });
    show();
  }

  // Records.
  const perPage = 50;
  function showRecords() {
    const columns = data.columns;
    const valuesOf = (c) => c.texts || c.numbers || c.of;
    const n = valuesOf(columns[0]).length;
    const collator = new Intl.Collator("en", { numeric: true });
    const trackOf = new Map((data.tracks || []).map((t) => [t.record, t]));
    const body = byId("record-body"), search = byId("search");
    const heads = [];
    let sorted = null, descending = false, at = 0, rows = [];

    const searched = Array.from({ length: n }, (_, i) =>
      columns.map((c) => (c.texts ? c.texts[i] : c.of ? c.classes[c.of[i]] : "")).join("\n").toLowerCase());

    const filters = columns.filter((c) => c.of).map((c) => {
      const choice = make("select", null, make("option", { value: -1 }, "any"));
      c.classes.forEach((name, k) => choice.append(make("option", { value: k }, name)));
      choice.addEventListener("change", choose);
      byId("filters").append(make("label", null, c.name + " ", choice));
      return [c, choice];
    });

    columns.forEach((c) => {
      const button = make("button", { type: "button" }, c.name);
      const head = make("th", { scope: "col", "aria-sort": "none" }, button);
      if (c.help) head.title = c.help;
      if (c.numbers) head.className = "number";
      button.addEventListener("click", () => sortBy(c, head));
      heads.push(head);
      byId("record-head").append(head);
    });

    function compare(c) {
      const values = valuesOf(c), sign = descending ? -1 : 1;
      if (c.numbers) { // what has no value comes last either way
        return (i, j) => {
          if (values[i] === null || values[j] === null) return (values[i] === null) - (values[j] === null) || i - j;
          return sign * (values[i] - values[j]) || i - j;
        };
      }
      if (c.of) return (i, j) => sign * (values[i] - values[j]) || i - j;
      return (i, j) => sign * collator.compare(values[i], values[j]) || i - j;
    }

    function sortBy(c, head) {
      descending = sorted === c ? !descending : false;
      sorted = c;
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      choose();
    }

    function choose() {
      const wanted = search.value.trim().toLowerCase();
      rows = [];
      for (let i = 0; i < n; i++) {
        if (wanted && !searched[i].includes(wanted)) continue;
        if (filters.some(([c, choice]) => choice.value !== "-1" && c.of[i] !== Number(choice.value))) continue;
        rows.push(i);
      }
      if (sorted) rows.sort(compare(sorted));
      at = 0;
      show();
    }

    function cellOf(c, i) {
      if (c.numbers) return make("td", { class: "number" }, c.numbers[i] === null ? "" : written(c.numbers[i], c.places || 0));
      if (c.texts) return make("td", { class: (c.code ? "code" : "") + (c.texts[i].length >= 48 ? " long" : "") }, isolated(c.texts[i]));
      const cell = make("td", null, isolated(c.classes[c.of[i]]));
      if (c.of[i] === c.flag) cell.className = "flag";
      return cell;
    }

    function rowOf(i) {
      const row = make("tr", null, ...columns.map((c) => cellOf(c, i)));
      const track = trackOf.get(i);
      if (track) {
        const button = make("button", { type: "button", class: "open", "aria-expanded": "false", title: "contributions" }, "+");
        button.setAttribute("aria-label", "Contributions of " + track.title);
        button.addEventListener("click", () => toggle(button, row, track));
        row.firstElementChild.prepend(button);
      }
      return row;
    }

    function toggle(button, row, track) {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      button.textContent = open ? "+" : "−";
      if (open) {
        row.nextElementSibling.remove();
        return;
      }
      const width = body.clientWidth - 24;
      row.after(make("tr", null, make("td", { colspan: columns.length }, drawTrack(track, width))));
    }

    function show() {
      const end = Math.min(at + perPage, rows.length);
      body.replaceChildren(...rows.slice(at, end).map(rowOf));
      byId("before").disabled = at === 0;
      byId("after").disabled = end >= rows.length;
      const of = rows.length === n ? `${n}` : `${rows.length} found of ${n}`;
      const status = rows.length ? `${at + 1} to ${end} of ${of}` : `none found of ${n}`;
      byId("record-status").textContent = status;
      byId("record-caption").textContent = `Records ${status}`;
    }

    search.addEventListener("input", choose);
    byId("before").addEventListener("click", () => { at = Math.max(0, at - perPage); show(); });
    byId("after").addEventListener("click", () => { at += perPage; show(); });
    document.addEventListener("keydown", (event) => {
      const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        search.focus();
      } else if (event.key === "Escape" && event.target === search && search.value) {
        search.value = "";
        choose();
      }
    });
    choose();
  }

  if (data.tracks) showTracks();
  if (data.columns) showRecords();
})();
