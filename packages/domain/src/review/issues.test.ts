import { expect, test } from 'vitest';
import { issuesIn } from './issue-set.ts';
import { duplicateText, issueText } from './issue-texts.ts';
import { issueCodes, issueField, issueSeverity, rowIssueCodes } from './issues.ts';
import { validateRow } from './validate-row.ts';

test('stored codes keep their positions', () => {
  const codes = [
    'bad-quote unclosed-quote mixed-line-ends invalid-utf8 nul lone-cr extra-separator',
    'missing-separator too-few-cells too-many-cells title-missing title-too-long price-missing',
    'price-not-numeric upc-check-digit duplicate upc-digits-lost other-currency in-other-import',
    'price-repeated brand-too-long type-too-long tag-too-long sku-too-long upc-too-long option-too-long',
    'quantity-not-numeric quantity-negative price-zero compare-at-below-price cost-above-price',
    'upc-two-codes image-invalid too-many-tags parent-without-price unknown-product formula-error',
    'formula-not-calculated made-a-date guard-cost guard-column guard-change third-decimal',
    'amount-inferred quantity-loose price-of-several text-cleaned text-garbled image-page same-options',
    'quantity-missing value-unread',
  ];
  expect(issueCodes).toEqual(codes.join(' ').split(' '));
});

test('the class of a row follows from the severity of its issues', () => {
  const classes = ['valid', 'warning', 'error'];
  for (const title of [undefined, '', 'Lamp', 'x'.repeat(256)]) {
    for (const price of [undefined, '', 'ask', '9.50']) {
      for (const upc of [undefined, '036000291453']) {
        const { class: rowClass, issues } = validateRow({ title, price, upc }, {});
        const severities = issuesIn(issues).map(issueSeverity);
        expect(severities).not.toContain('error');
        const warnings = severities.filter((severity) => severity === 'warning').length;
        expect([title, price, rowClass]).toEqual([title, price, classes[warnings]]);
      }
    }
  }
});

test('every issue of a row has a sentence, and names the field that it is about', () => {
  for (const code of rowIssueCodes) expect(issueText(code)).toMatch(/^[A-Z].*\.$/);
  expect(issueText('price-not-numeric')).toBe('Price isn’t a valid number, so it counts as missing.');
  for (const price of ['-4,50', '−4.50', '-$4', '$ -1,299.00', 'EUR -4', '- 4']) {
    expect(issueText('price-not-numeric', { price })).toBe('Price is below 0, so it counts as missing.');
  }
  for (const price of ['4-5', '-', '-0', '-1-2', 'call -4', 'n/a']) {
    expect(issueText('price-not-numeric', { price })).toMatch(/^Price isn’t a valid number/);
  }
  expect(issueField('price-not-numeric')).toBe('price');
  expect(issueField('too-many-cells')).toBeNull();
});

test('a duplicate names the value and the first row that has it', () => {
  expect(duplicateText('upc', 7)).toBe('Duplicate UPC: same as row 7.');
  expect(duplicateText('sku', 1)).toBe('Duplicate SKU: same as row 1.');
});

test('says what is sent of an invalid UPC, and that a cost is none', () => {
  expect(issueText('upc-check-digit', { upc: '84-376-0495-5' })).toMatch(/sent as 8437604955\.$/);
  expect(issueText('upc-check-digit', { upc: '12345' })).toMatch(/sent as it is\.$/);
  expect(issueText('cost-above-price', { cost: 'call' })).toBe('Cost isn’t an amount, so it isn’t sent.');
  expect(issueText('cost-above-price', { cost: '9' })).toBe('Cost is above the price.');
});
