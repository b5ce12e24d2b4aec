import { parseJson } from '../../base/parse-json.ts';

/** Parses JSON. A model without a schema may add text around its JSON, so the last valid outermost object is used. */
export function readJson(text: string): unknown {
  const whole = parseJson(text);
  if (whole !== undefined) return whole;
  const withoutThoughts = text.replace(/^[\s\S]*<\/think>/, '');
  const objects = outermostObjects(withoutThoughts);
  return objects.map(parseJson).findLast((value) => value !== undefined);
}

/** Returns the texts from each outermost brace to its closing brace. Braces in strings do not count. */
function outermostObjects(text: string): string[] {
  const found: string[] = [];
  let [depth, from, inString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = depth > 0;
    else if (char === '{') {
      if (depth === 0) from = at;
      depth += 1;
    } else if (char === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) found.push(text.slice(from, at + 1));
    }
  }
  return found;
}
