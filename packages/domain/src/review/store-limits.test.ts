import { describe, expect, test } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { buildUncheckedDraft } from '../products/draft-product.ts';
import { issuesIn } from './issue-set.ts';
import { issueText } from './issue-texts.ts';
import { issueCodes, issueField, type RowIssue } from './issues.ts';
import { isImageAddress, issueFieldInRow, isTooLong, refusalOf } from './store-limits.ts';
import { validateRow } from './validate-row.ts';

const lamp: RowValues = { title: 'Lamp', price: '5' };
const draftOf = (values: RowValues) =>
  buildUncheckedDraft([values], { draftMode: true, importSource: 'lamps.csv', currency: 'CAD' });

/** A row with `text` where each limit applies, and the limit's name in sentences about its product. */
const limits: [RowIssue, name: string, rowWith: (text: string) => RowValues][] = [
  ['title-too-long', 'title', (title) => ({ ...lamp, title })],
  ['brand-too-long', 'brand', (vendor) => ({ ...lamp, vendor })],
  ['type-too-long', 'type', (type) => ({ ...lamp, type })],
  ['tag-too-long', 'tags', (tag) => ({ ...lamp, tags: `brass, ${tag}, ${'y'.repeat(255)}` })],
  ['sku-too-long', 'SKU', (sku) => ({ ...lamp, sku })],
  ['sku-too-long', 'SKU', (itemNumber) => ({ ...lamp, itemNumber })],
  ['upc-too-long', 'UPC', (upc) => ({ ...lamp, upc })],
  ['option-too-long', 'options', (option1Value) => ({ ...lamp, option1Value })],
  ['option-too-long', 'options', (option3Value) => ({ ...lamp, option1Value: 'S', option3Value })],
];
const codes = issueCodes.filter((code) => code.endsWith('-too-long'));
const limitsOf = (row: RowValues, inherited: RowValues = {}) =>
  issuesIn(validateRow(row, inherited).issues).filter((code) => codes.includes(code));

describe('a text that the store would refuse', () => {
  test.each(limits)('is an issue of its row and named for its product: %s, %s', (code, name, rowWith) => {
    const row = rowWith('x'.repeat(256));
    expect([validateRow(row, {}).class, limitsOf(row)]).toEqual(['valid', [code]]);
    expect(refusalOf(draftOf(row))).toBe(`Over Shopify’s 255-character limit: ${name}`);

    const atLimit = rowWith('x'.repeat(255));
    expect(limitsOf(atLimit)).toEqual([]);
    expect(refusalOf(draftOf(atLimit))).toBeNull();
  });

  test('has an issue for each of its limits, with a sentence', () => {
    expect(new Set(limits.map(([code]) => code))).toEqual(new Set(codes));
    expect(limits.map(([code]) => issueField(code))).toEqual([
      ...['title', 'vendor', 'type', 'tags', 'sku', 'sku', 'upc', 'option1Value', 'option1Value'],
    ]);
    expect(issueText('title-too-long')).toBe('Title is longer than Shopify’s 255-character limit.');
    expect(issueText('tag-too-long')).toBe('A tag is longer than Shopify’s 255-character limit.');
  });

  test('is in the first option that is too long', () => {
    const long = 'x'.repeat(256);
    const row = { ...lamp, option1Value: 'S', option2Value: long, option3Value: long };
    expect(issueFieldInRow('option-too-long', row)).toBe('option2Value');
    expect(issueFieldInRow('option-too-long', { ...row, option1Value: long })).toBe('option1Value');
    expect(issueFieldInRow('sku-too-long', { ...row, sku: long })).toBe('sku');
  });

  test('is an issue of every row that inherits it as its title', () => {
    expect(limitsOf({ price: '5' }, { title: 'x'.repeat(256) })).toEqual(['title-too-long']);
  });

  test('is none if it is not sent', () => {
    const codes = Array.from({ length: 20 }, () => '036000291452').join(', ');
    expect(codes.length).toBeGreaterThan(255);
    const sent = { ...lamp, sku: 'L-1', itemNumber: 'x'.repeat(256), upc: codes };
    expect(validateRow(sent, {}).issues).toBe(0);
    expect(refusalOf(draftOf(sent))).toBeNull();
  });

  test('is refused for more than 250 tags too, and only then', () => {
    const tagged = (count: number) => ({
      ...lamp,
      tags: Array.from({ length: count }, (_, nth) => `tag ${nth}`).join(','),
    });
    const issuesOf = (row: RowValues) => issuesIn(validateRow(row, {}).issues);
    expect([issuesOf(tagged(250)), refusalOf(draftOf(tagged(250)))]).toEqual([[], null]);
    // A tag that is repeated counts once.
    expect(issuesOf({ ...lamp, tags: `${tagged(250).tags},TAG 1` })).toEqual([]);
    expect([issuesOf(tagged(251)), refusalOf(draftOf(tagged(251)))]).toEqual([
      ['too-many-tags'],
      'Over Shopify’s limit of 250 tags',
    ]);
    expect(refusalOf({ ...draftOf(tagged(251)), vendor: 'x'.repeat(256) })).toBe(
      'Over Shopify’s 255-character limit: brand. Over Shopify’s limit of 250 tags',
    );
  });

  test('is a description of more than 512 KB', () => {
    const described = (description: string) => refusalOf(draftOf({ ...lamp, description }));
    expect(described('x'.repeat(512 * 1024))).toBeNull();
    expect(described('ü'.repeat(256 * 1024))).toBeNull();
    for (const long of ['x'.repeat(512 * 1024 + 1), 'ü'.repeat(256 * 1024 + 1)]) {
      expect(described(long)).toBe('Over Shopify’s limit of 512 KB: description');
    }
  });

  test('is counted in UTF-16 units', () => {
    expect(isTooLong('ü'.repeat(255))).toBe(false);
    expect(isTooLong('🪔'.repeat(128))).toBe(true);
  });
});

test.each([
  ['https://example.com/a.jpg', true],
  ['HTTP://example.com/a.jpg', true],
  ['ftp://example.com/a.jpg', false],
  ['images/a.jpg', false],
])('an image address is one of the web: %s', (src, expected) => {
  expect(isImageAddress(src)).toBe(expected);
});
