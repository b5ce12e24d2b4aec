import { expect, test } from 'vitest';
import {
  type ChoiceField,
  choiceReaders,
  fieldChoices,
  fieldDefaults,
  findChoiceProblem,
} from './field-choices.ts';

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
    for (const value of [...fieldChoices[field], '']) expect(findChoiceProblem(field, value)).toBeNull();
    expect(findChoiceProblem(field, 'Published')).toMatch(/^The value must be one of /);
  }
  expect(findChoiceProblem('title', 'Published')).toBeNull();
  expect(findChoiceProblem('toString', 'x')).toBeNull();
});

test('a choice means itself, and a missing value the default', () => {
  for (const field of fields) {
    for (const value of fieldChoices[field]) expect(choiceReaders[field](value)).toBe(value);
    expect(choiceReaders[field](undefined)).toBe(fieldDefaults[field]);
    expect(choiceReaders[field]('')).toBe(fieldDefaults[field]);
  }
});

test('the words of files mean choices', () => {
  expect(choiceReaders.status('Published')).toBe('active');
  expect(choiceReaders.status('Archive')).toBe('archived');
  expect(choiceReaders.status('pending')).toBe('draft');
  expect(choiceReaders.trackQuantity('No')).toBe('none');
  expect(choiceReaders.continueSelling('TRUE')).toBe('continue');
});
