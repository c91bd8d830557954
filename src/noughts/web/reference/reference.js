// Draws /openapi.json: every address with what it takes and what it answers.

const made = (tag, text, className) => {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
};

const resolve = (schema, root) => {
  if (!schema?.$ref) return schema;
  return schema.$ref.slice(2).split("/").reduce((found, key) => found[key], root);
};

// A schema as a short text: {game: text, moves: [number], start: text or null}
const told = (given, root, depth = 0) => {
  const schema = resolve(given, root) ?? {};
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => told(choice, root, depth)).join(" | ");
  if (schema.type === "array") return `[${told(schema.items, root, depth)}]`;
  if (schema.properties) {
    if (depth > 2) return schema.title ?? "{…}";
    const space = "  ".repeat(depth + 1);
    const needed = new Set(schema.required ?? []);
    const rows = Object.entries(schema.properties).map(
      ([key, value]) => `${space}${key}${needed.has(key) ? "" : "?"}: ${told(value, root, depth + 1)}`,
    );
    return `{\n${rows.join(",\n")}\n${"  ".repeat(depth)}}`;
  }
  if (schema.additionalProperties) return `{text: ${told(schema.additionalProperties, root, depth + 1)}}`;
  return { string: "text", integer: "whole number", number: "number", boolean: "true | false", null: "null" }[schema.type] ?? "anything";
};

const block = (title, text) => {
  const part = document.createDocumentFragment();
  part.append(made("h3", title), made("pre", text));
  return part;
};

const operation = (path, method, about, root) => {
  const details = made("details");
  const summary = made("summary");
  summary.append(made("span", method.toUpperCase(), method === "get" ? "method" : "method write"));
  summary.append(made("code", path), document.createTextNode("  "));
  summary.append(made("span", about.description ?? about.summary ?? "", "faint"));
  const body = made("div", "", "body");
  for (const parameter of about.parameters ?? []) {
    body.append(block(`${parameter.name} (${parameter.in})`, told(parameter.schema, root)));
  }
  const request = about.requestBody?.content?.["application/json"]?.schema;
  if (request) body.append(block("Takes", told(request, root)));
  for (const [status, response] of Object.entries(about.responses)) {
    const schema = response.content?.["application/json"]?.schema;
    if (status < "400") body.append(block(`Answers ${status}`, schema ? told(schema, root) : response.description));
  }
  const errors = Object.entries(about.responses).filter(([status]) => status >= "400");
  if (errors.length) body.append(block("Refuses with", errors.map(([status, r]) => `${status}  ${r.description}`).join("\n")));
  details.append(summary, body);
  return details;
};

const draw = async () => {
  const place = document.getElementById("addresses");
  const root = await (await fetch("/openapi.json")).json();
  const groups = new Map();
  for (const [path, methods] of Object.entries(root.paths)) {
    for (const [method, about] of Object.entries(methods)) {
      const tag = about.tags?.[0] ?? "other";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(operation(path, method, about, root));
    }
  }
  place.replaceChildren();
  for (const [tag, rows] of groups) place.append(made("h2", tag), ...rows);
};

draw().catch((error) => {
  document.getElementById("addresses").replaceChildren(made("p", `The schema cannot be read: ${error.message}`));
});
