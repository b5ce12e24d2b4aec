import { expect, test } from 'vitest';
import { findFormulaIssue, resolveFormula } from './formula.ts';

const google = '=IFERROR(__xludf.DUMMYFUNCTION("IMAGE(""https://example.com/a.png"",1)"),"")';

test.each<[string, string, ReturnType<typeof findFormulaIssue>]>([
  ...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#CALC!'].map(
    (cell): [string, string, 'formula-error'] => [cell, '', 'formula-error'],
  ),
  ['#GETTING_DATA', '', 'formula-error'],
  ...['#NV', '#WERT!', '#BEZUG!', '#ZAHL!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#¡VALOR!', '#¿NOMBRE?'].map(
    (cell): [string, string, 'formula-error'] => [cell, '', 'formula-error'],
  ),
  ['Err:502', '', 'formula-error'],
  ['Err:5021', 'Err:5021', null],
  ['#NVIDIA', '#NVIDIA', null],
  ['#1 Best Lamp', '#1 Best Lamp', null],
  ['#N/A on stock', '#N/A on stock', null],
  ['=B2*1.2', '', 'formula-not-calculated'],
  ['=$B$2 + SUM(C2:C9)', '', 'formula-not-calculated'],
  ['=\'Preise 2026\'!B2&" EUR"', '', 'formula-not-calculated'],
  ['=[1]Sheet1!A1', '', 'formula-not-calculated'],
  ['=Tabelle1[[#This Row],[Price]]*1E-3', '', 'formula-not-calculated'],
  ['=IFERROR(VLOOKUP(A2,Stock!A:B,2,FALSE),0)', '', 'formula-not-calculated'],
  ['=A:A', '', 'formula-not-calculated'],
  ['=HYPERLINK("https://example.com/"&A2,"Foto")', '', 'formula-not-calculated'],
  ['=Love= Perfume', '=Love= Perfume', null],
  ['=== SALE ===', '=== SALE ===', null],
  ['=A4 paper, 80 g', '=A4 paper, 80 g', null],
  ['=5', '=5', null],
  ['=', '', 'formula-not-calculated'],
  ['=[.B2]*2', '', 'formula-not-calculated'],
  ["=SUM([.B2:.B9])+[$'Preise 2026'.$C$1]", '', 'formula-not-calculated'],
  ['=[NEW] Lamp', '=[NEW] Lamp', null],
  ['=[v2.0]', '=[v2.0]', null],
  ['=Price*Rate', '', 'formula-not-calculated'],
  ['=Preis_netto * 1,19', '', 'formula-not-calculated'],
  ['=Price/1.19', '', 'formula-not-calculated'],
  ['=Salt/Pepper', '=Salt/Pepper', null],
  ['=Oak lamp*2', '=Oak lamp*2', null],
  ['="00123"', '00123', null],
  ['="3"" pipe"', '3" pipe', null],
  ['=HYPERLINK("https://example.com","Oak ""lamp""")', 'Oak "lamp"', null],
  ['=HYPERLINK("https://example.com"; "Lampe")', 'Lampe', null],
  ['=HYPERLINK("https://example.com/1",4711)', '4711', null],
  ['=HYPERLINK("https://example.com/1")', 'https://example.com/1', null],
  ['=IMAGE("https://example.com/a.png")', 'https://example.com/a.png', null],
  ['=_xlfn.IMAGE("https://example.com/a.png","Lamp",1)', 'https://example.com/a.png', null],
  [google, 'https://example.com/a.png', null],
  ['=IMAGE("https://example.com/a.png" ; 1)', 'https://example.com/a.png', null],
  ['=BILD("https://example.com/a.png")', 'https://example.com/a.png', null],
  ['=IMMAGINE("https://example.com/a.png";2)', 'https://example.com/a.png', null],
  ['=ИЗОБРАЖЕНИЕ("https://example.com/a.png")', 'https://example.com/a.png', null],
  ['=LIEN_HYPERTEXTE("https://example.com/1";"Lampe")', 'Lampe', null],
  ['=BILD(F6)', '', 'formula-not-calculated'],
  ['=IMAGE("https://example.com/"&A2&".jpg")', '', 'formula-not-calculated'],
  ['=IF(A2="","",IMAGE("https://example.com/a.png"))', '', 'formula-not-calculated'],
  ['=IMAGE(A2)', '', 'formula-not-calculated'],
  ['B2*1.2', 'B2*1.2', null],
])('%j is read as %j, with the issue %j', (cell, value, issue) => {
  expect(resolveFormula(cell)).toBe(value);
  expect(findFormulaIssue(cell)).toBe(issue);
});
