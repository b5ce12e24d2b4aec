// node scripts/compare-ids.mjs LIST.jsonl: compares the ids of tests/spec/ids.json with those of a list, which has one
// JSON object with an id per line. Ends with 1 if one of the two has an id that the other lacks.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';

const [file, ...others] = process.argv.slice(2);
if (file === undefined || others.length > 0) stop('Name one file: node scripts/compare-ids.mjs LIST.jsonl');

const ids = Object.keys(JSON.parse(readFileSync(path.join(root, 'tests/spec/ids.json'), 'utf8')));
const listed = textOf(file)
  .split('\n')
  .flatMap((line, at) => (line.trim() === '' ? [] : [idOf(line, at + 1)]));
const differences = {
  missing: [...new Set(listed)].filter((id) => !ids.includes(id)),
  extra: ids.filter((id) => !listed.includes(id)),
};
for (const [kind, found] of Object.entries(differences)) {
  console.log(`${kind}: ${found.length > 0 ? found.join(', ') : 'none'}`);
}
process.exit(differences.missing.length + differences.extra.length === 0 ? 0 : 1);

function textOf(name) {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    return stop(`${name} cannot be read: ${error.message}`);
  }
}

function idOf(line, number) {
  try {
    const { id } = JSON.parse(line);
    if (typeof id === 'string') return id;
  } catch {
    // The same sentence is for both.
  }
  return stop(`Line ${number} of ${file} is not a JSON object with an id.`);
}

function stop(problem) {
  console.error(problem);
  process.exit(2);
}
