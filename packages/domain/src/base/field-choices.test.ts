import { expect, test } from 'vitest';
import { type ChoiceField, choiceOf, choiceProblem, fieldChoices, fieldDefaults } from './field-choices.ts';

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
    for (const value of fieldChoices[field]) expect(choiceOf[field](value)).toBe(value);
    expect(choiceOf[field](undefined)).toBe(fieldDefaults[field]);
    expect(choiceOf[field]('')).toBe(fieldDefaults[field]);
  }
});

test('the words of files mean choices', () => {
  expect(choiceOf.status('Published')).toBe('active');
  expect(choiceOf.status('Archive')).toBe('archived');
  expect(choiceOf.status('pending')).toBe('draft');
  expect(choiceOf.trackQuantity('No')).toBe('none');
  expect(choiceOf.continueSelling('TRUE')).toBe('continue');
});
