import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readAnswer } from './answer.ts';
import { type AnswerCase, type BadAnswer, parseCases, wholeAnswer } from './testing/answer-cases.ts';
import { failureName } from './testing/failure-name.ts';
import { findFailures, validateAnswer } from './validate-answer.ts';

const id = 'k3f9-1';
const folder = new URL('../../../../../tests/fixtures/ai/', import.meta.url);
const readCases = (file: string) => parseCases(readFileSync(new URL(file, folder), 'utf8'));

/** Good answers of which a part is refused, as 'case field: failure'. */
function refusedGood(cases: readonly AnswerCase[]): string[] {
  return cases.flatMap(({ name, asked, good }) => {
    const { accepted, dropped } = validateAnswer(asked, wholeAnswer(id, good));
    if (accepted.length === good.length && dropped.length === 0) return [];
    return [
      `${name} ${dropped.map(({ field, failure }) => `${field} ${failureName(failure)} '${failure.found}'`)}`,
    ];
  });
}

type Verdict = 'refused by its check' | 'refused by another check' | 'accepted';

function verdictOf({ asked }: AnswerCase, { check, text, answer }: BadAnswer): Verdict {
  if (answer === null)
    return readAnswer(jsonOf(text.replaceAll('$ID', id)), [id]).size > 0
      ? 'accepted'
      : 'refused by its check';
  if (validateAnswer(asked, wholeAnswer(id, [answer])).accepted.length > 0) return 'accepted';
  const isNamed = answer.values.every((value) =>
    findFailures(answer.field, value, answer.evidence, asked).some(
      (failure) => failureName(failure) === check,
    ),
  );
  return isNamed ? 'refused by its check' : 'refused by another check';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Bad answers that are not refused by their check. */
const notRefused = (cases: readonly AnswerCase[]): string[] =>
  cases.flatMap((one) =>
    one.bad.flatMap((bad) => {
      const verdict = verdictOf(one, bad);
      return verdict === 'refused by its check'
        ? []
        : [`${one.name} ${bad.check} ${verdict}: ${bad.text.slice(0, 100)}`];
    }),
  );

describe.each(['home.txt', 'trade.txt', 'languages.txt', 'hostile.txt'])('%s', (file) => {
  const cases = readCases(file);

  test('each bad answer is refused by its check', () => {
    expect(notRefused(cases)).toEqual([]);
  });

  test('good answers are accepted', () => {
    expect(refusedGood(cases)).toEqual([]);
  });
});

/** The texts of bad answers that are accepted. */
const acceptedBad = (cases: readonly AnswerCase[]): string[] =>
  cases.flatMap((one) => one.bad.filter((bad) => verdictOf(one, bad) === 'accepted').map(({ text }) => text));

test('longer good descriptions are accepted', () => {
  expect(refusedGood(readCases('longer.txt'))).toEqual([]);
});

describe.each(['kept-aside.txt', 'second-author.txt', 'after-mending.txt'])('%s', (file) => {
  const cases = readCases(file);

  test('no bad answer is accepted', () => {
    expect(acceptedBad(cases)).toEqual([]);
  });

  test('good answers are accepted', () => {
    expect(refusedGood(cases)).toEqual([]);
  });
});
