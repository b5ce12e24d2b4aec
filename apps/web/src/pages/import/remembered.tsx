import { type useMapping, useRecalledMapping } from '../../api/mapping.ts';
import { RememberedNote } from '../../components/mapping/remembered-note.tsx';

/** Names the file that columns are remembered from, if they are. */
export function Remembered({
  columns,
}: {
  columns: NonNullable<ReturnType<typeof useMapping>['data']>['columns'] | undefined;
}) {
  const from = columns?.find(({ setBy }) => setBy === 'memory')?.rememberedFrom ?? null;
  const headers = from === null ? null : (columns ?? []).map(({ header }) => header);
  const recalled = useRecalledMapping(headers).data?.mapping;
  if (from === null) return null;
  const fingerprint = recalled?.filename === from ? recalled.fingerprint : null;
  return <RememberedNote filename={from} fingerprint={fingerprint} />;
}
