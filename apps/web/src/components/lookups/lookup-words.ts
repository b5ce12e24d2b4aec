import type { Enrichment } from '@draftshelf/contract/enrichment';
import type { Row } from '@draftshelf/contract/rows';
import { formatCount, formatExact, formatMoment } from '../../lib/intl.ts';

const fieldNames: Record<string, string> = {
  image: 'Images',
  vendor: 'Brands',
  description: 'Descriptions',
  type: 'Categories',
};

/** The name of a field that look-ups fill, for many products. */
export const coverageName = (field: string): string => fieldNames[field] ?? field;

/** 'Images 12 % → 83 %': the share of products with a value from the file, and with found ones. */
export function coverageWords({ products, filled, found }: Enrichment['coverage'][number]): string {
  const share = (count: number) => `${products === 0 ? 0 : Math.floor((100 * count) / products)} %`;
  return found === 0 ? share(filled) : `${share(filled)} → ${share(filled + found)}`;
}

type Waiting = Pick<Enrichment['waiting'][number], 'until' | 'because'>;

/** The reason for a waiting look-up, and the end of the wait. */
export function waitingWords({ until, because }: Waiting, nowMs: number): string {
  if (until === null) return 'Image lookup is running';
  const moment = formatMoment(until, nowMs);
  return because === 'quota'
    ? `Image lookup waits for quota until ${moment}`
    : `Image lookup tries again at ${moment}`;
}

/** One line per source that is being asked or waits. */
export function sourceWaitingWords(waiting: Enrichment['waiting'][number], nowMs: number): string {
  const products = `${formatCount(waiting.products)} ${waiting.products === 1 ? 'product' : 'products'}`;
  return `${waitingWords(waiting, nowMs)} (${waiting.source}, ${products}).`;
}

/** Source, time and licence of a found value. */
export function provenanceWords({ source, at, attribution }: NonNullable<Row['found']>[string]): string {
  return `From ${source}, ${formatExact(at)}${attribution === null ? '' : ` · ${attribution}`}`;
}

/** Source, time and licence of the value found for a row's field. */
export function foundWords(row: Row, field: string): string {
  const from = row.found?.[field];
  return from === undefined ? 'Taken from another column of this row.' : provenanceWords(from);
}
