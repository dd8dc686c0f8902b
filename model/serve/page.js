"use strict";
// The page: sends what is in the text field to the API and shows classes, scores and contributions.

const mostExplained = 100; // records with contributions
const mostLetters = 20000; // letters of these
const mostRows = 2000;
const $ = (id) => document.getElementById(id);
let models = [];

// ask calls the API and returns its answer, or throws an Error with what it says.
async function ask(path, text) {
  const headers = {};
  if ($("token").value) headers.Authorization = "Bearer " + $("token").value;
  if (text !== undefined) headers["Content-Type"] = "text/plain";
  const options = text === undefined ? {headers} : {method: "POST", body: text, headers};
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The service does not answer: has it been stopped?");
  }
  const answer = await response.json().catch(() => null);
  if (response.status === 401 && $("secret").hidden) {
    $("secret").hidden = false;
    $("token").focus();
    throw new Error("The service asks for its token.");
  }
  if (!response.ok) throw new Error(answer?.error?.message ?? "Status " + response.status);
  if (answer === null) throw new Error("The answer broke off.");
  return answer;
}

// element makes an element with a text.
function element(name, text, kind) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (kind) e.className = kind;
  return e;
}

function chosen() {
  return models.find((m) => m.model === $("model").value) ?? models[0];
}

async function loadModels() {
  models = (await ask("v1/models")).models;
  const before = $("model").value;
  $("model").replaceChildren(...models.map((m) => element("option", m.model)));
  if (models.some((m) => m.model === before)) $("model").value = before;
  $("choice").hidden = models.length < 2;
  describe();
}

function describe() {
  const m = chosen();
  const classes = m.classes.slice(0, 6).join(", ") + (m.classes.length > 6 ? " …" : "");
  $("about").textContent = `${m.model}: ${m.kernel}; ${m.classes.length > 1 ? "classes " : ""}${classes}` +
    (m.n ? `; learned from ${m.n} records` : "") + (m.window ? `; records of ${m.window} letters` : "");
}

const digits = (x) => x.toLocaleString("en", {minimumFractionDigits: 3, maximumFractionDigits: 3});

// columnsOf returns the columns of the answers: name, whether they are numbers, and the text of a record.
function columnsOf(record) {
  const columns = [["record", false, (r) => r.id]];
  if ("value" in record) columns.push(["value", true, (r) => digits(r.value) + ("sd" in r ? " ± " + digits(r.sd) : "")]);
  else if ("score" in record) columns.push(["score", true, (r) => digits(r.score)]);
  else if ("classes" in record) {
    columns.push(["classes", false, (r) => r.classes.join(", ")], ["scores", true, (r) => r.decisions.map(digits).join(", ")]);
  } else {
    columns.push(["class", false, (r) => r.class], ["score", true, (r) => digits(r.decision)]);
    if ("probability" in record) columns.push(["probability", true, (r) => digits(r.probability)]);
  }
  return columns;
}

// unitsOf returns the units of a record that have a contribution: its words, or its letters, where a contribution is of
// a byte of UTF-8.
function unitsOf(explained) {
  if (explained.words) return explained.words;
  const letters = explained.letters ?? "";
  if (letters.length === explained.contributions.length) return Array.from(letters);
  const encoder = new TextEncoder();
  return Array.from(letters).flatMap((c) => {
    const bytes = encoder.encode(c).length;
    return [c, ...Array(bytes - 1).fill("")];
  });
}

// contributions draws units in colours of what they contribute.
function contributions(explained) {
  const units = unitsOf(explained);
  const box = element("div", undefined, explained.words ? "letters words" : "letters");
  if (units.length !== explained.contributions.length) {
    return element("div", "letters that are not UTF-8", "note");
  }
  const most = Math.max(...explained.contributions.map(Math.abs), Number.MIN_VALUE);
  for (let i = 0; i < units.length; i++) {
    let sum = explained.contributions[i], end = i + 1;
    for (; end < units.length && units[end] === ""; end++) sum += explained.contributions[end];
    const level = Math.min(6, Math.round(6 * Math.abs(sum) / most));
    const span = element("span", units[i], level === 0 ? undefined : (sum > 0 ? "p" : "n") + level);
    span.title = `${(explained.positions?.[i] ?? i + 1)}: ${sum.toPrecision(4)}`;
    box.append(span);
    if (explained.words) box.append(" ");
    i = end - 1;
  }
  return box;
}

// explainFirst asks for the contributions of the first records, as many as a page can show.
async function explainFirst(query, text) {
  return (await ask(`v1/explain${query}&letters=${mostLetters}`, text)).records.slice(0, mostExplained);
}

function show(answer, explained) {
  const rows = document.createDocumentFragment(), columns = columnsOf(answer.records[0]);
  $("columns").replaceChildren(...columns.map(([name, number]) => element("th", name, number ? "number" : undefined)));
  answer.records.slice(0, mostRows).forEach((record, i) => {
    const row = element("tr", undefined, "record");
    row.append(...columns.map(([, number, text]) => element("td", text(record), number ? "number" : undefined)));
    rows.append(row);
    if (explained[i]) {
      const cell = element("td");
      cell.colSpan = columns.length;
      cell.append(contributions(explained[i]));
      const below = element("tr");
      below.append(cell);
      rows.append(below);
    }
  });
  $("rows").replaceChildren(rows);
  const counts = new Map();
  for (const r of answer.records) if (r.class !== undefined) counts.set(r.class, (counts.get(r.class) ?? 0) + 1);
  const n = answer.records.length;
  $("summary").textContent = n + (n === 1 ? " record" : " records") + ` read as ${answer.input}` + (counts.size && n > 1 ?
    ": " + [...counts].map(([c, k]) => `${k} ${c}`).join(", ") : "") + (n > mostRows ? `; the first ${mostRows}:` : "");
  $("legend").hidden = explained.length === 0;
  if (explained.length) {
    const m = chosen();
    $("legendtext").textContent = (m.positive ? "the class " + m.positive : m.classes.length > 1 ?
      "the class predicted" : "a greater number") + "; point at one for its contribution" +
      (explained.length < n ? `; of the first ${explained.length} records` : "");
  }
  $("answer").hidden = false;
  tell(answer.warnings.join("\n"));
}

function tell(message) {
  $("message").textContent = message;
  $("message").hidden = message === "";
}

async function run() {
  const text = $("records").value;
  if (text.trim() === "") {
    tell("No records: paste some, or drop a file.");
    $("records").focus();
    return;
  }
  $("run").disabled = true;
  tell("");
  try {
    if (models.length === 0) await loadModels();
    const model = chosen(), query = `?model=${encodeURIComponent(model.model)}`;
    const answer = await ask("v1/predict" + query, text);
    show(answer, model.explains ? await explainFirst(query, text) : []);
  } catch (error) {
    $("answer").hidden = true;
    tell(error.message);
  } finally {
    $("run").disabled = false;
  }
}

// take puts the text of a file into the field.
async function take(file) {
  try {
    let stream = file.stream();
    const begin = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    if (begin[0] === 0x1f && begin[1] === 0x8b) stream = stream.pipeThrough(new DecompressionStream("gzip"));
    $("records").value = await new Response(stream).text();
    await run();
  } catch (error) {
    tell(`${file.name}: ${error.message}`);
  }
}

$("form").addEventListener("submit", (event) => { event.preventDefault(); run(); });
$("model").addEventListener("change", describe);
$("clear").addEventListener("click", () => {
  $("records").value = "";
  $("answer").hidden = true;
  tell("");
  $("records").focus();
});
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", () => {
  if ($("file").files.length) take($("file").files[0]);
  $("file").value = "";
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
});
document.addEventListener("dragover", (event) => { event.preventDefault(); $("records").classList.add("over"); });
document.addEventListener("dragleave", () => $("records").classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  $("records").classList.remove("over");
  if (event.dataTransfer.files.length) take(event.dataTransfer.files[0]);
});
$("token").addEventListener("change", () => loadModels().then(() => tell(""), (error) => tell(error.message)));
loadModels().catch((error) => { $("about").textContent = ""; tell(error.message); });
