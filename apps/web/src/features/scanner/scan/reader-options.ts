import { toGtin14 } from '@draftshelf/domain/base/gtin';
import { type ScanFormat, scanFormats } from '@draftshelf/domain/scanner/read-scan';
import type { ReaderOptions, ReadResult } from 'zxing-wasm/reader';
import { hasShape, isNullOr, isText } from '../../../lib/storage.ts';

/** A code as the reader or a scanner has transmitted it. */
export type ScannedCode = { text: string; format: ScanFormat | null };

export const isScannedCode = hasShape<ScannedCode>({
  text: isText,
  format: isNullOr((format) => scanFormats.some((scanFormat) => scanFormat === format)),
});

/** Does not search inverted codes: products have none, and the search would take a third more time. */
export const readerOptions: ReaderOptions = {
  formats: [...scanFormats],
  maxNumberOfSymbols: 1,
  tryHarder: true,
  tryRotate: true,
  tryInvert: false,
  tryDownscale: true,
  eanAddOnSymbol: 'Ignore',
  textMode: 'Plain',
};

/** Returns the code of a result; null if there is none. A GS1 code keeps its symbology identifier. */
export function readResultCode([result]: readonly ReadResult[]): ScannedCode | null {
  const format = result?.isValid ? formatOf(result) : undefined;
  if (!result || format === undefined) return null;
  const isGs1 = result.contentType === 'GS1';
  return { text: isGs1 ? result.symbologyIdentifier + result.text : result.text, format };
}

/** Returns a code's format. ITF codes may be read in part, so they need 14 digits and a valid check digit. */
function formatOf({ format, text }: ReadResult): ScanFormat | undefined {
  if (format === 'ITF') return text.length === 14 && toGtin14(text) !== null ? 'ITF14' : undefined;
  return scanFormats.find((scanFormat) => scanFormat === format);
}
