import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
import type { ValuesSample } from '@draftshelf/contract/reading/values-sample';
import { formatCount } from '../../../lib/intl.ts';

type Coverage = Enrichment['coverage'][number];
type CheckedPictures = ValuesSample['pictures'];

/** The coverage without products whose pictures do not load, which are `broken`. */
export type ShownCoverage = Coverage & { broken: number };

/**
 * The coverage of a field as it is shown. A picture that does not load does not count: the share of such pictures is
 * taken from the rows whose pictures were looked at.
 */
export function shownCoverage(coverage: Coverage, pictures: CheckedPictures | undefined): ShownCoverage {
  const { field, filled, found } = coverage;
  if (field !== 'image' || pictures === undefined || pictures.broken === 0) return { ...coverage, broken: 0 };
  const { loading, broken: bad, unchecked } = pictures;
  const broken = Math.min(filled, Math.round(((filled + found) * bad) / (loading + bad + unchecked)));
  return { ...coverage, filled: filled - broken, broken };
}

/** The parts of a field's bar, in products: from the file, found, and pictures that do not load. */
export function coverageParts({ filled, found, broken }: ShownCoverage): { kind: string; count: number }[] {
  return [
    { kind: 'idle', count: filled },
    { kind: 'found', count: found },
    { kind: 'broken', count: broken },
  ];
}

/** 'None of 52 pictures loads: example.com does not answer.'; null if all that were checked load. */
export function brokenWords(pictures: CheckedPictures, brokenHost: string | null): string | null {
  const checked = pictures.loading + pictures.broken;
  if (pictures.broken === 0) return null;
  const host = brokenHost === null ? '' : `, most of them from ${brokenHost}`;
  if (pictures.loading === 0) {
    return checked === 1
      ? 'The only checked picture doesn’t load.'
      : `None of ${formatCount(checked)} checked pictures loads${host}.`;
  }
  return `${formatCount(pictures.broken)} of ${formatCount(checked)} checked pictures ${pictures.broken === 1 ? 'doesn’t' : 'don’t'} load${host}.`;
}
