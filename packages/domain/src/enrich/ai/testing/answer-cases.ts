import {
  type AskedProduct,
  askableFields,
  type ProductAnswer,
  type ProposableField,
  type SentProduct,
} from '../answer.ts';

/** An answer for one field of a case. `values` has several for tags only. */
export type CaseAnswer = { field: ProposableField; values: string[]; evidence: string[] };
/** A bad answer with the check that has to refuse it: 'facts.number', 'language', 'malformed' … */
export type BadAnswer = { check: string; text: string; answer: CaseAnswer | null };
export type AnswerCase = { name: string; asked: AskedProduct; good: CaseAnswer[]; bad: BadAnswer[] };

/** The cases of a file in tests/fixtures/ai, whose README describes the lines. */
export function parseCases(text: string): AnswerCase[] {
  const cases: AnswerCase[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (line.startsWith('== ')) {
      cases.push({
        name: line.slice(3),
        asked: { product: {}, asked: askableFields, types: [] },
        good: [],
        bad: [],
      });
      continue;
    }
    const current = cases.at(-1);
    if (current === undefined) throw new Error(`A line before the first case: ${line}`);
    addLine(current, line);
  }
  return cases;
}

function addLine(current: AnswerCase, line: string): void {
  const at = line.indexOf(':');
  const [key, value] = [line.slice(0, at).trim(), expand(line.slice(at + 1).trim())];
  const [first = '', ...others] = key.split(' ');
  const { asked } = current;
  if (first === '+') current.good.push(answerOf(asked.product, others[0], value));
  else if (first === '-') {
    const [check = '', field] = others;
    const answer = check === 'malformed' ? null : answerOf(asked.product, field, value);
    current.bad.push({ check, text: value, answer });
  } else if (first === 'types') current.asked = { ...asked, types: listOf(value) };
  else addValue(asked.product, first, others.join(' '), value);
}

function addValue(product: SentProduct, key: string, name: string, value: string): void {
  if (key === 'title' || key === 'description' || key === 'vendor' || key === 'type') product[key] = value;
  else if (key === 'tags') product.tags = listOf(value);
  else if (key === 'option') product.options = [...(product.options ?? []), { name, values: listOf(value) }];
  else if (key === 'col') product.columns = [...(product.columns ?? []), { name, value }];
  else throw new Error(`Unknown line: ${key} ${name}`);
}

function answerOf(product: SentProduct, name: string | undefined, text: string): CaseAnswer {
  const field = name === 'brand' ? 'vendor' : (name as ProposableField);
  if (!askableFields.includes(field)) throw new Error(`Unknown field: ${name}`);
  const [value = '', quotes] = text.split(/ ?<<(?: |$)/);
  const evidence =
    quotes === undefined ? [product.title ?? ''] : quotes.split(' | ').filter((one) => one !== '');
  return { field, values: field === 'tags' ? listOf(value) : [value], evidence };
}

const listOf = (value: string): string[] => value.split(';').map((one) => one.trim());

const expand = (value: string): string =>
  value
    .replace(/\\n/g, '\n')
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\\*(\d+)\{([^}]*)\}/g, (_, times: string, text: string) => text.repeat(Number(times)));

/** A whole answer with these values and nothing else. */
export function wholeAnswer(id: string, parts: readonly CaseAnswer[]): ProductAnswer {
  const part = (field: ProposableField) => parts.find((one) => one.field === field);
  return {
    id,
    description: part('description')?.values[0] ?? null,
    type: part('type')?.values[0] ?? null,
    brand: part('vendor')?.values[0] ?? null,
    tags: part('tags')?.values ?? [],
    evidence: {
      description: part('description')?.evidence ?? [],
      type: part('type')?.evidence ?? [],
      brand: part('vendor')?.evidence ?? [],
      tags: part('tags')?.evidence ?? [],
    },
    flags: [],
  };
}
