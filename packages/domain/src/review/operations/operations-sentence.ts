import { labelInSentence, labelOf } from '../../base/canonical-fields.ts';
import { shortenText } from '../../base/cut-text.ts';
import { optionsField } from '../../base/field-value.ts';
import { type Operation, subjectOf } from './operation.ts';

const quotedCharsMax = 40;
const sentenceCharsMax = 240;

/** Describes operations for the history, buttons and notices: 'Price × 1.2, to .99'. Long texts are cut. */
export function describeOperations(operations: readonly Operation[]): string {
  if (operations.length > 1 && operations.every(({ kind }) => kind === 'paste')) {
    const fields = operations.map((operation) => withLabel(operation, false).replace(/ pasted$/, ''));
    return shortenText(`Pasted: ${fields.join(', ')}`, sentenceCharsMax);
  }
  const parts = operations.map((operation, at) => {
    const previous = operations[at - 1];
    return previous !== undefined && subjectOf(previous) === subjectOf(operation)
      ? phraseOf(operation)
      : withLabel(operation, at === 0);
  });
  return shortenText(parts.join(', '), sentenceCharsMax);
}

function withLabel(operation: Operation, isFirst: boolean): string {
  const subject = subjectOf(operation);
  const phrase = phraseOf(operation);
  if (subject === optionsField) return `${isFirst ? 'Options' : 'options'}: ${phrase}`;
  if (subject === 'leaveOut') return isFirst ? phrase : phrase.charAt(0).toLowerCase() + phrase.slice(1);
  const rounded = operation.kind === 'round' ? `rounded ${phrase}` : phrase;
  const label = isFirst ? labelOf(subject) : labelInSentence(subject);
  return `${label}${clauses.has(operation.kind) ? ':' : ''} ${rounded}`;
}

/** Kinds whose phrase has a subject of its own: 'Tags: “sale” added'. */
const clauses: ReadonlySet<Operation['kind']> = new Set([
  ...(['replace', 'prefix', 'suffix', 'trim', 'map', 'add-tags', 'remove-tags'] as const),
]);

type Phrases = { [K in Operation['kind']]: (operation: Extract<Operation, { kind: K }>) => string };

const phrases: Phrases = {
  set: ({ value }) => `set to ${quoted(value)}`,
  clear: () => 'cleared',
  // The caller adds the number of changed rows, because some cells may be refused.
  paste: () => 'pasted',
  take: ({ from }) =>
    'field' in from
      ? `taken from ${labelInSentence(from.field)}`
      : `taken from column ${quoted(from.column)}`,
  'fill-down': () => 'filled down',
  replace: ({ find, whole, with: other }) =>
    replaced(`${quoted(find)}${whole ? ' as the whole value' : ''}`, other),
  prefix: ({ text }) => `${quoted(text)} added at the start`,
  suffix: ({ text }) => `${quoted(text)} added at the end`,
  trim: () => 'extra spaces removed',
  case: ({ to }) => `in ${to} case`,
  cut: ({ chars }) => `cut to ${chars} characters`,
  map: ({ values }) => mapPhrase(values),
  'map-options': ({ values }) => mapPhrase(values),
  calculate: calculation,
  'percent-of': ({ percent, of }) => `set to ${percent}% of ${labelInSentence(of)}`,
  margin: ({ percent }) => `set to a margin of ${percent}%`,
  round: rounding,
  'add-tags': ({ tags }) => `${listed(tags)} added`,
  'remove-tags': ({ tags }) => `${listed(tags)} removed`,
  'leave-out': ({ leaveOut }) => (leaveOut ? 'Left out of the push' : 'Put back into the push'),
};

const phraseOf = <K extends Operation['kind']>(operation: Extract<Operation, { kind: K }>): string =>
  phrases[operation.kind as K](operation);

const quoted = (text: string): string => `“${shortenText(text, quotedCharsMax)}”`;

const listed = (texts: readonly string[]): string =>
  texts.length > 3 ? `${texts.length} tags` : texts.map(quoted).join(', ');

const replaced = (found: string, other: string): string =>
  other === '' ? `${found} removed` : `${found} replaced by ${quoted(other)}`;

function mapPhrase(values: readonly { from: string; to: string }[]): string {
  const [only] = values;
  if (values.length > 1 || only === undefined) return `${values.length} values replaced`;
  return replaced(quoted(only.from), only.to);
}

const signs = { add: '+', subtract: '−', multiply: '×', divide: '÷', percent: '+' } as const;

function calculation({ by, amount }: Extract<Operation, { kind: 'calculate' }>): string {
  const percent = by === 'percent' ? '%' : '';
  if (!amount.startsWith('-')) return `${signs[by]} ${amount}${percent}`;
  if (by === 'add' || by === 'percent') return `− ${amount.slice(1)}${percent}`;
  return `${by === 'subtract' ? '+ ' : `${signs[by]} −`}${amount.slice(1)}`;
}

function rounding({ to, direction }: Extract<Operation, { kind: 'round' }>): string {
  const way = direction === 'nearest' ? '' : `${direction} `;
  if ('step' in to) return `${way}to a multiple of ${to.step}`;
  return to.ending === '9' ? `${way}to a whole number ending in 9` : `${way}to ${to.ending}`;
}
