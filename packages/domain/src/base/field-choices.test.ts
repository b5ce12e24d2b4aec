import { expect, test } from 'vitest';
import { type ChoiceField, choiceProblem, fieldChoices, fieldDefaults, readChoice } from './field-choices.ts';

const fields = Object.keys(fieldChoices) as ChoiceField[];

test('the choices are the specification’s', () => {
  expect(fieldChoices).toEqual({
    status: ['draft', 'active', 'archived'],
    trackQuantity: ['shopify', 'none'],
    continueSelling: ['deny', 'continue'],
  });
});

test('an edit sets a choice or clears the field, and nothing else', () => {
  for (const field of fields) {
    for (const value of [...fieldChoices[field], '']) expect(choiceProblem(field, value)).toBeNull();
    expect(choiceProblem(field, 'Published')).toMatch(/^The value must be one of /);
  }
  expect(choiceProblem('title', 'Published')).toBeNull();
  expect(choiceProblem('toString', 'x')).toBeNull();
});

test('a choice means itself, and a missing value the default', () => {
  for (const field of fields) {
    for (const value of fieldChoices[field]) expect(readChoice[field](value)).toBe(value);
    expect(readChoice[field](undefined)).toBe(fieldDefaults[field]);
    expect(readChoice[field]('')).toBe(fieldDefaults[field]);
  }
});

test('the words of files mean choices', () => {
  expect(readChoice.status('Published')).toBe('active');
  expect(readChoice.status('Archive')).toBe('archived');
  expect(readChoice.status('pending')).toBe('draft');
  expect(readChoice.trackQuantity('No')).toBe('none');
  expect(readChoice.continueSelling('TRUE')).toBe('continue');
});
