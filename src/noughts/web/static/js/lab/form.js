// The form of a run, made from the fields that the server describes.

import { h, iconButton, put } from "../dom.js";
import { api } from "../api.js";
import { agentPicker, optionControl, readable } from "../forms.js";

/**
 * @param {{kind: string, fields: any[], variants: {name: string, summary: string, fields: any[]}[] | null}} kind
 * @param {any[]} agents
 * @param {(options: Record<string, any>) => void} onStart
 */
export function labForm(kind, agents, onStart) {
  const area = h("div", { class: "fields" });
  let controls = [];
  const build = (variant) => {
    controls = [...(variant?.fields ?? []), ...kind.fields].filter((field) => field.key !== "name").map((field) => control(field, agents));
    const main = controls.filter((made) => made.isMain);
    const rest = controls.filter((made) => !made.isMain);
    put(area, variant ? h("p", { class: "help" }, variant.summary) : null, main.map((made) => made.element),
      rest.length ? h("details", { class: "panel" }, h("summary", {}, "More"), rest.map((made) => made.element)) : null);
  };
  const variants = kind.variants;
  const choice = variants && h("select", { id: "lab-variant", onchange: () => build(variants.find((variant) => variant.name === choice.value)) },
    variants.map((variant) => h("option", { value: variant.name, title: variant.summary }, variant.name)));
  const form = h("form", { class: "lab-form", onsubmit: (event) => {
    event.preventDefault();
    const options = choice ? { name: choice.value } : {};
    for (const made of controls) {
      const value = made.read();
      if (value !== undefined) options[made.key] = value;
    }
    onStart(options);
  } },
  choice ? h("div", { class: "field" }, h("label", { for: "lab-variant" }, readable(kind.kind)), choice) : null,
  area,
  h("button", { type: "submit", class: "button strong", id: "lab-start" }, "Start"));
  build(variants?.[0]);
  return form;
}

const MAIN = new Set(["game", "agents", "games", "seed", "opponent", "method", "quick"]);

function control(field, agents) {
  const isMain = field.required || MAIN.has(field.key);
  if (field.kind === "agents") return { ...agentsControl(field, agents), isMain: true };
  if (field.kind === "game") return { ...gameControl(field), isMain };
  const made = optionControl(field, undefined);
  return { key: field.key, isMain, element: made.element, read: () => typed(field, made.read()) };
}

/** JSON wants numbers as numbers and flags as true. */
function typed(field, text) {
  if (text === undefined) return undefined;
  if (field.kind === "flag") return true;
  if (field.kind === "whole" || field.kind === "number") return Number(text);
  return text;
}

function gameControl(field) {
  const made = optionControl({ ...field, kind: "text" }, field.default ?? "3x3");
  const list = h("datalist", { id: `${made.control.id}-list` });
  made.control.setAttribute("list", list.id);
  made.control.required = true;
  api.games().then(({ examples }) => put(list, examples.map((example) => h("option", { value: example.spec }, example.summary))));
  made.element.append(list);
  return { key: field.key, element: made.element, read: () => made.control.value.trim() };
}

function agentsControl(field, agents) {
  const rows = h("div", { class: "agent-rows" });
  let pickers = [];
  const add = (spec) => {
    const picker = agentPicker(agents, { spec, label: `agent ${pickers.length + 1}` });
    const remove = iconButton("close", "Remove this agent", () => {
      pickers = pickers.filter((found) => found !== picker);
      row.remove();
    }, { quiet: true });
    const row = h("div", { class: "agent-row" }, picker.element, remove);
    pickers.push(picker);
    rows.append(row);
  };
  for (const spec of field.default?.length ? field.default : ["random", "alphabeta", "uct"]) add(spec);
  const more = h("button", { type: "button", class: "button", onclick: () => add(agents[0].name) }, "Add an agent");
  return { key: field.key, element: h("div", { class: "field" }, h("p", { class: "help" }, field.help), rows, more), read: () => pickers.map((picker) => picker.read()) };
}
