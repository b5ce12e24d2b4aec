import { expect, it } from 'vitest';
import { isSpreadsheetDate } from './made-date.ts';

it.each([
  ['English', ['2-Jan', 'Mar-24', 'Sep 05', '2024-03-01', '03/24/2026']],
  ['German', ['2. Jan', 'Mrz 24', '14. Mär', '01.02.2026']],
  ['French', ['janv-20', '14-févr', 'févr.-14']],
  ['Italian and Spanish', ['gen-12', 'ene-20', '5-ago']],
  ['Polish and Czech', ['sty.14', 'wrz.20', 'III.14', '2.čvc']],
  ['Nordic', ['maj-20', '14. maj', 'maalis.14']],
  ['Dutch and Portuguese', ['14-mrt', 'out/20']],
  ['Russian and Ukrainian', ['янв.20', 'лют.14']],
  ['Turkish', ['Oca.20', '14.Ağu']],
  ['Hungarian', ['márc.14']],
  ['Japanese, Chinese and Korean', ['3月14日', '3월 14일']],
])('dates that a spreadsheet in %s made of codes are found', (_language, texts) => {
  for (const text of texts) expect([text, isSpreadsheetDate(text)]).toEqual([text, true]);
});

it.each('MAR-24|OLA-16|lamp-20|2-in-1|12-pack|Pro 14|Set 12|32-Jan|10 mm|3/4|A.12'.split('|'))(
  '%j is no such date',
  (text) => expect(isSpreadsheetDate(text)).toBe(false),
);
