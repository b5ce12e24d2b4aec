import { describe, expect, it } from 'vitest';
import { readScan, type ScanFormat } from './read-scan.ts';

const gs = '\u001d';
const caseProblem = 'This is the code of a case, not of one piece.';
const inStoreProblem = 'Only your shop knows this code.';

type Case = [text: string, format: ScanFormat | null, shown: string, gtin: string];

describe('product numbers', () => {
  it.each<Case>([
    ['036000291452', 'UPCA', '036000291452', '00036000291452'],
    ['4006381333931', 'EAN13', '4006381333931', '04006381333931'],
    ['96385074', 'EAN8', '96385074', '00000096385074'],
    // A UPC-A reaches us as EAN-13 from some readers.
    ['0036000291452', 'EAN13', '036000291452', '00036000291452'],
    ['00036000291452', null, '036000291452', '00036000291452'],
    // Typed by hand.
    [' 0 36000 29145 2 ', null, '036000291452', '00036000291452'],
    ['36000291452', null, '036000291452', '00036000291452'],
  ])('reads %j (%s) as %s', (text, format, shown, gtin) => {
    expect(readScan(text, format)).toEqual({
      ...{ kind: 'gtin', text: shown, gtin, problem: null, isPublic: true, own: null },
    });
  });

  it.each<Case>([
    // One code for each place where zeros are left out.
    ['01234505', 'UPCE', '012000003455', '00012000003455'],
    ['01234514', 'UPCE', '012100003454', '00012100003454'],
    ['01234523', 'UPCE', '012200003453', '00012200003453'],
    ['01234531', 'UPCE', '012300000451', '00012300000451'],
    ['01234543', 'UPCE', '012340000053', '00012340000053'],
    ['01234558', 'UPCE', '012345000058', '00012345000058'],
    ['01234565', 'UPCE', '012345000065', '00012345000065'],
    // The camera's reader expands UPC-E codes.
    ['0012345000065', 'UPCE', '012345000065', '00012345000065'],
    ['01234596', 'UPCE', '012345000096', '00012345000096'],
    // A hand-held scanner does not tell the format.
    ['01234565', null, '012345000065', '00012345000065'],
    [']E001234565', null, '012345000065', '00012345000065'],
  ])('expands the UPC-E %j (%s) to %s', (text, format, shown, gtin) => {
    expect(readScan(text, format)).toMatchObject({ kind: 'gtin', text: shown, gtin });
  });

  it('takes 8 digits for an EAN-8 if the reader says so, or if they are no UPC-E', () => {
    expect(readScan('01234565', 'EAN8')).toMatchObject({ kind: 'gtin', text: '01234565' });
    expect(readScan('13579135')).toMatchObject({ kind: 'gtin', text: '13579135', gtin: '00000013579135' });
  });

  it('says that a code is on a case', () => {
    for (const format of ['ITF14', null] as const) {
      expect(readScan('10614141000415', format)).toMatchObject({
        ...{ kind: 'gtin', text: '10614141000415', gtin: '10614141000415', problem: caseProblem },
        isPublic: true,
      });
    }
    // An ITF-14 of single pieces holds their UPC-A.
    expect(readScan('00036000291452', 'ITF14')).toMatchObject({ text: '036000291452', problem: null });
  });

  it.each(['212345678992', '0212345678992', '2012345678903', '2912345678906', '412345678903', '20000004'])(
    'asks no source about the in-store number %s',
    (text) => {
      expect(readScan(text)).toMatchObject({ kind: 'gtin', problem: inStoreProblem, isPublic: false });
    },
  );
});

describe('GS1 codes', () => {
  const vase = { kind: 'gtin', text: '9506000134352', gtin: '09506000134352', problem: null };

  it.each<[string, ScanFormat | null]>([
    ['https://id.gs1.org/01/09506000134352', 'QRCode'],
    ['https://shop.example.com/de/products/01/9506000134352/10/AB1?17=261231', 'QRCode'],
    ['HTTPS://EXAMPLE.COM/01/09506000134352', 'DataMatrix'],
    ['https://example.com/gtin/9506000134352', null],
    ['(01)09506000134352(10)AB1', 'Code128'],
    ['(10)AB1(01)09506000134352', null],
    [']C10109506000134352', null],
    [']d2010950600013435210AB1', null],
    [`]Q310AB1${gs}0109506000134352`, null],
    [`${gs}172612310109506000134352`, 'DataMatrix'],
    [']e00109506000134352', null],
    [`]C1310300127510AB1${gs}0109506000134352`, 'Code128'],
  ])('takes the GTIN of %j', (text, format) => {
    expect(readScan(text, format)).toMatchObject(vase);
  });

  it.each([
    'https://example.com/products/vase',
    'https://example.com/01/09506000134353',
    '(10)AB1',
    ']C110AB1',
  ])('takes %j for a text', (text) => {
    expect(readScan(text)).toMatchObject({ kind: 'text', gtin: null, isPublic: false });
  });

  it('says that an element string names a case', () => {
    expect(readScan('(01)10614141000415')).toMatchObject({ text: '10614141000415', problem: caseProblem });
  });
});

describe('other codes', () => {
  it('become a SKU without control characters', () => {
    expect(readScan('VA-12', 'Code128')).toEqual({
      ...{ kind: 'text', text: 'VA-12', gtin: null, problem: null, isPublic: false, own: null },
    });
    expect(readScan(`${gs}VA\u001e-12\r\n`)?.text).toBe('VA-12');
    expect(readScan(' \u0000\u001d ')).toBeNull();
    expect(readScan('A\ud800B')?.text).toBe('A\ufffdB');
  });

  it('stay texts if a label of a warehouse holds a number', () => {
    for (const format of ['Code128', 'QRCode', 'DataMatrix'] as const) {
      expect(readScan('036000291452', format)).toMatchObject({ kind: 'text', text: '036000291452' });
    }
    expect(readScan(']C0036000291452')).toMatchObject({ kind: 'text', text: '036000291452' });
  });

  it('lose their AIM identifier, and only that', () => {
    expect(readScan(']C0VA-12')?.text).toBe('VA-12');
    expect(readScan(']E00036000291452')).toMatchObject({ kind: 'gtin', text: '036000291452' });
    expect(readScan(']E496385074')).toMatchObject({ kind: 'gtin', text: '96385074' });
    expect(readScan(']I110614141000415')).toMatchObject({ kind: 'gtin', problem: caseProblem });
    expect(readScan(']zzz')?.text).toBe(']zzz');
    expect(readScan(']E0')?.text).toBe(']E0');
  });

  it('keep 255 characters, and say so', () => {
    expect(readScan('x'.repeat(255))).toMatchObject({ problem: null });
    const long = readScan('x'.repeat(300));
    expect(long?.text).toHaveLength(255);
    expect(long?.problem).toBe('The code has 300 characters. A SKU keeps the first 255.');
  });

  it('say that a digit is wrong', () => {
    expect(readScan('036000291453')).toMatchObject({
      ...{ kind: 'text', text: '036000291453' },
      problem: 'The last digit doesn’t fit the others. Check the number for a typo.',
    });
    expect(readScan('12345')).toMatchObject({ kind: 'text', problem: null });
  });
});

describe('our own addresses', () => {
  const id = '0b1f6a52-5a0e-4c39-8a6e-3f4c8a1d2b3c';

  it.each([
    [`https://shelf.example.com/api/photos/${id}`, 'photo'],
    [`http://localhost:3000/scanner?product=${id}`, 'product'],
    [`https://shelf.example.com/api/scanner/products/${id.toUpperCase()}`, 'product'],
    [`/api/photos/${id}`, 'photo'],
  ])('%s names a %s', (text, kind) => {
    expect(readScan(text, 'QRCode')).toMatchObject({ kind: 'text', own: { kind, id } });
  });

  it('are no others', () => {
    expect(readScan('https://example.com/api/photos/1', 'QRCode')?.own).toBeNull();
  });
});
