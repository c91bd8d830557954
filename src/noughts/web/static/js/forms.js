// Forms made from typed descriptions: one declaration in Python, one control here.

import { h } from "./dom.js";
import { formatSpec, parseSpec } from "./spec.js";

let serial = 0;
const freshId = (word) => `${word}-${(serial += 1)}`;

/** "turn_limit" as people read it. */
export const readable = (key) => key.replaceAll("_", " ");

/**
 * A control for one option, with its label and help.
 * @param {{key: string, kind: string, default: any, help: string, low?: number, high?: number, choices?: string[]}} option
 * @param {string | undefined} text  the value as it stands in a spec; "" is a flag that is set
 */
export function optionControl(option, text, onchange = () => {}) {
  const id = freshId("option");
  const helpId = `${id}-help`;
  const shared = { id, "aria-describedby": helpId, onchange, name: option.key };
  /** @type {any} */
  const control = makeControl(option, text, shared);
  const isFlag = option.kind === "flag";
  const label = h("label", { for: id }, readable(option.key));
  const element = h("div", { class: `field${isFlag ? " flag" : ""}` },
    isFlag ? [control, label] : [label, control],
    h("p", { class: "help", id: helpId }, option.help));
  /** The text for a spec; undefined when it is at its default. */
  const read = () => {
    if (isFlag) return control.checked ? "" : undefined;
    const value = control.value.trim();
    return value === "" || value === defaultText(option) ? undefined : value;
  };
  return { key: option.key, element, read, control };
}

function defaultText(option) {
  if (option.default === null || option.default === undefined) return "";
  return Array.isArray(option.default) ? option.default.join("/") : String(option.default);
}

function makeControl(option, text, shared) {
  if (option.kind === "flag") return h("input", { ...shared, type: "checkbox", checked: text !== undefined || option.default === true });
  const value = text ?? defaultText(option);
  if (option.kind === "choice") {
    return h("select", shared, option.choices.map((choice) => h("option", { value: choice, selected: choice === value }, choice)));
  }
  if (option.kind === "whole" || option.kind === "number") {
    return h("input", {
      ...shared, type: "number", min: option.low, max: option.high, step: option.kind === "whole" ? 1 : "any",
      placeholder: option.default === null ? "not set" : null, value,
    });
  }
  return h("input", { ...shared, type: "text", value, placeholder: option.kind === "vector" ? "1/2/1" : "", autocomplete: "off", spellcheck: "false" });
}

/** " · simulations 600" beside the word Options. */
function chosenWords(options) {
  const words = Object.entries(options).map(([key, value]) => `${readable(key)} ${value}`.trim());
  return words.length ? ` · ${words.join(", ")}` : "";
}

/**
 * Choose an agent and set its options.
 * @param {any[]} agents  as the server lists them
 * @param {{spec: string, label: string, onChange?: (spec: string) => void, people?: boolean,
 *   reasons?: Record<string, string | null>}} options
 */
export function agentPicker(agents, { spec, label, onChange = () => {}, people = false, reasons = {} }) {
  const id = freshId("agent");
  const element = h("div", { class: "agent-picker" });
  let current = spec;
  let controls = [];
  const tell = () => {
    current = read();
    onChange(current);
  };
  const read = () => {
    const name = select.value;
    if (name === "you") return "you";
    /** @type {Record<string, string>} */
    const options = {};
    for (const control of controls) {
      const value = control.read();
      if (value !== undefined) options[control.key] = value;
    }
    return formatSpec({ name, options });
  };
  const select = h("select", { id, onchange: () => {
    const found = agents.find((agent) => agent.name === select.value);
    build(found ? found.suggested || found.name : "you");
    tell();
  } });
  const details = h("details", { class: "agent-options" });
  const build = (text) => {
    const { name, options } = parseSpec(text);
    select.value = name;
    const agent = agents.find((found) => found.name === name);
    controls = (agent?.options ?? []).map((option) => optionControl(option, options[option.key], tell));
    details.replaceChildren(
      h("summary", {}, "Options", h("span", { class: "chosen" }, chosenWords(options))),
      h("p", { class: "help" }, agent?.summary ?? ""),
      ...controls.map((control) => control.element));
    details.hidden = controls.length === 0;
  };
  if (people) select.append(h("option", { value: "you" }, "you"));
  for (const agent of agents) {
    const reason = reasons[agent.name];
    select.append(h("option", { value: agent.name, disabled: Boolean(reason), title: reason || agent.summary }, agent.name));
  }
  element.append(h("label", { for: id }, label), select, details);
  build(current);
  return { element, read, select };
}
