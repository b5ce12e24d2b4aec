import {
  type Amount,
  type DefaultCurrencies,
  formatResult,
  type NumberField,
  readFieldAmount,
} from './amount.ts';
import {
  compareFractions,
  decimalText,
  dividedBy,
  type Fraction,
  floorOf,
  fractionOf,
  minus,
  plus,
  times,
  zero,
} from './fraction.ts';
import type { UnchangedReason } from './left-reason.ts';
import { fieldOf, type Operation } from './operation.ts';

export type Calculation = Extract<Operation, { kind: 'calculate' | 'percent-of' | 'margin' | 'round' }>;

const calculations: readonly Operation['kind'][] = ['calculate', 'percent-of', 'margin', 'round'];

export const isCalculation = (operation: Operation): operation is Calculation =>
  calculations.includes(operation.kind);

export function sourceFieldOf(operation: Calculation): NumberField {
  if (operation.kind === 'margin') return 'cost';
  return operation.kind === 'percent-of' ? operation.of : operation.field;
}

/**
 * Returns the result, rounded half away from zero to the digits of its currency. `text`: the cell, whose currency sign
 * is kept; `source`: the text that is calculated with. If the number stays equal, returns `text`.
 */
export function calculateCell(
  operation: Calculation,
  { text, source, currencies }: { text: string; source: string; currencies: DefaultCurrencies },
): string | { reason: UnchangedReason } {
  const field = fieldOf(operation) as NumberField;
  const amount = readFieldAmount(sourceFieldOf(operation), source, currencies);
  if (amount === null) return { reason: 'not-a-number' };
  const now = readFieldAmount(field, text, currencies);
  const like = notation(now, amount);
  const result = resultOf(operation, amount.value, like.digits);
  if (result === null) return { reason: 'no-result' };
  if (now?.unit === like.unit && compareFractions(now.value, result) === 0 && result.over > 0n) return text;
  return formatResult(field, result, like) ?? { reason: 'no-result' };
}

/** Returns the amount whose format the result gets: the source's, if the cell is empty or in another currency. */
function notation(now: Amount | null, source: Amount): Amount {
  const isInOther = source.unit !== null && source.unit !== now?.unit;
  return now === null || isInOther ? source : now;
}

const hundred = fractionOf('100');
const one = fractionOf('1');
const asShare = (percent: string): Fraction => dividedBy(fractionOf(percent), hundred);

function resultOf(operation: Calculation, value: Fraction, digits: number): Fraction | null {
  switch (operation.kind) {
    case 'percent-of':
      return times(value, asShare(operation.percent));
    case 'margin':
      return dividedBy(value, minus(one, asShare(operation.percent)));
    case 'round': {
      const rounded = roundedTo(operation, value);
      // Null if the currency has too few decimals for the ending or step: an amount in yen cannot end in .99.
      return compareFractions(fractionOf(decimalText(rounded, digits)), rounded) === 0 ? rounded : null;
    }
    case 'calculate': {
      const amount = fractionOf(operation.amount);
      if (operation.by === 'add') return plus(value, amount);
      if (operation.by === 'subtract') return minus(value, amount);
      if (operation.by === 'multiply') return times(value, amount);
      if (operation.by === 'percent') return times(value, plus(one, asShare(operation.amount)));
      return amount.over === 0n ? null : dividedBy(value, amount);
    }
  }
}

const endings: Record<'.99' | '.95' | '.00' | '9', { first: Fraction; step: Fraction }> = {
  '.99': { first: fractionOf('.99'), step: one },
  '.95': { first: fractionOf('.95'), step: one },
  '.00': { first: fractionOf('0'), step: one },
  '9': { first: fractionOf('9'), step: fractionOf('10') },
};

/** Returns the nearest number of the form `first + n × step`, or the next one in `direction`. Ties go up. */
function roundedTo({ to, direction }: Extract<Operation, { kind: 'round' }>, value: Fraction): Fraction {
  const { first, step } = 'ending' in to ? endings[to.ending] : { first: zero, step: fractionOf(to.step) };
  const steps = floorOf(dividedBy(minus(value, first), step));
  const below = plus(first, times(step, { over: steps, under: 1n }));
  if (direction === 'down' || compareFractions(below, value) === 0) return below;
  const above = plus(below, step);
  if (direction === 'up') return above;
  return compareFractions(minus(value, below), minus(above, value)) < 0 ? below : above;
}
