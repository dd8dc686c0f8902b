"use strict";
// The page of seqsvm serve without a service: what it asks for is answered by the program in seqsvm.wasm, with models
// that are opened here.

const program = (async () => {
  const go = new Go();
  const {instance} = await WebAssembly.instantiateStreaming(fetch("seqsvm.wasm"), go.importObject);
  go.run(instance);
})();

let opened; // resolves when there is a model
const first = new Promise((resolve) => { opened = resolve; });
const away = window.fetch;

window.fetch = async (path, options = {}) => {
  if (typeof path !== "string" || !path.startsWith("v1/")) return away(path, options);
  await first;
  const {status, body} = await seqsvmAnswer(options.method ?? "GET", "/" + path, options.body ?? "");
  return new Response(body, {status, headers: {"Content-Type": "application/json"}});
};

// say shows a message where the page shows its own.
function say(text) {
  const message = document.getElementById("message");
  message.textContent = text;
  message.hidden = text === "";
}

// openModel opens a model and offers it.
async function openModel(name, bytes) {
  try {
    await program;
    await seqsvmOpen(name.replace(/\.seqsvm(\.gz)?$/, ""), bytes);
  } catch (error) {
    say(`${name}: ${error.message}`);
    return;
  }
  say("");
  opened();
  await loadModels(); // of page.js
}

async function openAddress(address) {
  const response = await away(address);
  if (!response.ok) throw new Error(`${address}: status ${response.status}`);
  await openModel(address.split("/").at(-1), new Uint8Array(await response.arrayBuffer()));
}

document.addEventListener("DOMContentLoaded", () => {
  const about = document.getElementById("about");
  about.textContent = "Open a model of seqsvm; nothing that you open or paste leaves this machine.";
  const input = document.createElement("input");
  input.type = "file";
  input.id = "modelfile";
  input.hidden = true;
  input.addEventListener("change", async () => {
    for (const file of input.files) await openModel(file.name, new Uint8Array(await file.arrayBuffer()));
  });
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Open a model …";
  button.addEventListener("click", () => input.click());
  about.after(button, input);
  const address = new URLSearchParams(location.search).get("model");
  if (address !== null) openAddress(address).catch((error) => say(error.message));
});
