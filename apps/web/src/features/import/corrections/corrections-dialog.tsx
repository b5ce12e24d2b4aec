import { endpointOf } from '@draftshelf/contract/paths';
import type { CorrectionLine, Corrections } from '@draftshelf/contract/review/corrections';
import { listFileExtensions } from '@draftshelf/domain/reading/list-files';
import {
  type LineResult,
  lineResultSentences,
  lineResults,
} from '@draftshelf/domain/review/corrections/line-kinds';
import { Checkbox, FileButton, Group, Progress, Skeleton, Stack } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { buildDownloadUrl, buildUrl, pollMs, readOf } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, Button, DownloadLink, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { CallFailure, ReadView } from '../../../ui/feedback/read.tsx';
import { SaveFailure } from '../../../ui/form.tsx';
import { HintedButton } from '../../../ui/hint.tsx';
import { TallDialog, TallDialogFooter } from '../../../ui/overlays.tsx';
import { ValueTable } from '../../../ui/table/record-table.tsx';
import { useCommandCall } from '../edits/edits-api.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';
import { isFiltered, pickFiltersAndSort, readRowsAddress } from '../rows-address.ts';
import classes from './corrections.module.css';
import { useCorrectionsUpload } from './corrections-api.ts';

type CorrectionsDialogProps = {
  importId: string;
  /** The uploaded file's id, or null if no file has been uploaded. */
  corrections: string | null;
  lock: string | null;
  opened: boolean;
  onUploaded: (corrections: string | null) => void;
  onClose: () => void;
};

export function CorrectionsDialog({ opened, onClose, ...props }: CorrectionsDialogProps) {
  const { importId, corrections } = props;
  const found = useQuery({
    ...readOf('readCorrections', { params: { id: importId, corrections: corrections ?? '' } }),
    enabled: corrections !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'comparing' ? pollMs.corrections : false),
  });
  return (
    <TallDialog opened={opened} onClose={onClose} title="Correct in a spreadsheet" size="56rem" fills="phone">
      {corrections === null ? (
        <Round {...props} />
      ) : (
        <ReadView
          of={found}
          what="the corrections"
          meanwhile={<Skeleton height={240} className="pad" aria-hidden />}
        >
          {(data) => <CorrectionsFound key={data.id} {...props} found={data} onClose={onClose} />}
        </ReadView>
      )}
    </TallDialog>
  );
}

function Round({
  importId,
  lock,
  onUploaded,
}: Pick<CorrectionsDialogProps, 'importId' | 'lock' | 'onUploaded'>) {
  const [search] = useSearchParams();
  const address = readRowsAddress(search);
  const upload = useCorrectionsUpload();
  const take = (file: File | null) => {
    if (file === null || upload.isPending) return;
    upload.mutate({ importId, file }, { onSuccess: ({ id }) => onUploaded(id) });
  };
  return (
    <Stack gap="md" className="pad">
      <BodyText>
        Download the rows, change values in a spreadsheet or let a colleague do it, and upload the file here.
        Only values that differ from the download are changed, and you see the changes first. Leave the column
        ‘Draftshelf row’ as it is.
      </BodyText>
      <div className="row-wrap gap-sm">
        <PlainButton
          component="a"
          href={buildUrl(endpointOf('getCorrections').path, { id: importId }, pickFiltersAndSort(address))}
          download
          icon={IconDownload}
        >
          {isFiltered(address) ? 'Download the Filtered Rows' : 'Download All Rows'}
        </PlainButton>
        <FileButton accept={listFileExtensions.join()} onChange={take}>
          {(props) => (
            <Button {...props} loading={upload.isPending} disabled={lock !== null} icon={IconUpload}>
              Upload the Corrected File
            </Button>
          )}
        </FileButton>
      </div>
      {lock !== null && <BodyText>{lock}</BodyText>}
      <SaveFailure error={upload.error} title="Couldn’t use the file." />
    </Stack>
  );
}

type CorrectionsFoundProps = Omit<CorrectionsDialogProps, 'opened' | 'corrections'> & { found: Corrections };

const ended: Partial<Record<Corrections['state'], string>> = {
  applied: 'These corrections have been applied. The history of changes can undo them.',
  outdated: 'The file of this import was re-read after the comparison. Upload the corrections again.',
  removed: 'Comparisons are kept for 30 days, and this one is gone. Upload the corrections again.',
  failed: 'The comparison failed. Retry it under Failed work, or upload the corrections again.',
};

function CorrectionsFound({ importId, found, lock, onUploaded, onClose }: CorrectionsFoundProps) {
  const { state, filename, records } = found;
  const [isSure, setSure] = useState(false);
  const apply = useCommandCall('applyCorrections', { id: importId, corrections: found.id });
  const emptied = emptiedWords(found);
  const left = leftWords(found);
  if (state === 'comparing') {
    return (
      <Stack gap="xs" className="pad" role="status">
        <BodyText>Comparing {filename} with the import…</BodyText>
        <Progress value={(100 * records.compared) / Math.max(1, records.total)} aria-label="Compared rows" />
      </Stack>
    );
  }
  const changes = found.lines.change ?? 0;
  const none = changes === 0 ? 'There is nothing to change.' : null;
  const unsure = emptied.length > 0 && !isSure ? 'First confirm that values will be emptied.' : null;
  return (
    <>
      <div className="stack pad fill-scroll gap-sm">
        <BodyText role="status">
          <strong className="break-words">{filename}</strong> {ended[state] ?? changesWords(found)}
        </BodyText>
        {found.fields.length > 0 && <QuietText className="numbers">{fieldsWords(found)}</QuietText>}
        {left.length > 0 && (
          <ul className={`list ${classes.left} size-sm`} aria-label="Left as they are">
            {left.map(({ kind, count, why }) => (
              <li key={kind}>
                <strong className="numbers">{formatCount(count)}</strong> {why}
              </li>
            ))}
          </ul>
        )}
        {columnWords(found).map((words) => (
          <QuietText key={words} className="break-words">
            {words}
          </QuietText>
        ))}
        <Lines lines={found.examples.filter(({ kind }) => state === 'compared' || kind !== 'change')} />
        <DownloadLink
          href={buildDownloadUrl('getCorrectionsReport', { id: importId, corrections: found.id })}
        >
          Download all lines
        </DownloadLink>
      </div>
      <TallDialogFooter>
        {state === 'compared' && emptied.length > 0 && (
          <Checkbox
            checked={isSure}
            onChange={(event) => setSure(event.currentTarget.checked)}
            label={`${emptied.join(' ')} Empty them.`}
          />
        )}
        <CallFailure error={apply.error} title="Couldn’t apply the corrections." />
        <Group justify="flex-end" gap="xs">
          <PlainButton onClick={() => onUploaded(null)}>Choose Another File</PlainButton>
          {state === 'compared' && (
            <HintedButton
              reason={lock ?? none ?? unsure}
              loading={apply.isPending}
              onClick={() => apply.start({}, `Corrections of ${filename}`, onClose)}
            >
              {changes === 0 ? 'Apply' : `Apply ${countOf(changes, 'Change')}`}
            </HintedButton>
          )}
        </Group>
      </TallDialogFooter>
    </>
  );
}

function Lines({ lines }: { lines: readonly CorrectionLine[] }) {
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe)
    <section className={`${classes.lines} rigid`} aria-label="Examples" tabIndex={0}>
      <ValueTable heads={['Row', 'Field', 'When downloaded', 'Now', 'Your file', 'Result']}>
        {lines.map((line) => (
          <tr key={`${line.line} ${line.kind} ${line.field}`} data-kind={line.kind}>
            <td className="numbers">{line.row ?? `line ${line.line}`}</td>
            <td>{line.field === null ? '' : fieldLabel(line.field)}</td>
            {[line.before, line.now, line.after].map((value, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: each of the three values has a fixed column
              <td key={at} dir="auto" title={value ?? ''}>
                <span className={classes.value}>{value}</span>
              </td>
            ))}
            <td>{lineResultSentences[line.kind]}</td>
          </tr>
        ))}
      </ValueTable>
    </section>
  );
}

/** Example: 'This file changes 1,377 cells in 1,204 of 10,000 rows.' */
function changesWords({ rows, lines, records }: Corrections): string {
  const cells = lines.change ?? 0;
  if (cells === 0) return `This file has ${countOf(records.total, 'row')} and changes nothing.`;
  const all = records.total === rows ? '' : ` of ${formatCount(records.total)}`;
  return `This file changes ${countOf(cells, 'cell')} in ${formatCount(rows)}${all} ${records.total === 1 ? 'row' : 'rows'}.`;
}

/** Example: 'Price 900, Brand 12' */
const fieldsWords = ({ fields }: Corrections): string =>
  fields.map(({ field, changed }) => `${fieldLabel(field)} ${formatCount(changed)}`).join(', ');

const leftWords = ({ lines }: Corrections): { kind: LineResult; count: number; why: string }[] =>
  lineResults.flatMap((kind) =>
    kind !== 'change' && lines[kind] ? [{ kind, count: lines[kind], why: lineResultSentences[kind] }] : [],
  );

/** If a file empties more than this share of a field's values, the column was probably emptied by mistake. */
const emptiedShare = 0.2;

const emptiedWords = ({ fields }: Corrections): string[] =>
  fields
    .filter(({ emptied, filled }) => emptied > emptiedShare * filled)
    .map(
      ({ field, emptied, filled }) =>
        `${fieldLabel(field)} becomes empty in ${formatCount(emptied)} of ${formatCount(filled)} rows.`,
    );

function columnWords({ unused, unknown }: Corrections): string[] {
  const named = (names: readonly string[]) => names.map((name) => `‘${name}’`).join(', ');
  return [
    ...(unused.length === 0 ? [] : [`Ignored columns that products don’t use: ${named(unused)}.`]),
    ...(unknown.length === 0 ? [] : [`Ignored columns that aren’t in the download: ${named(unknown)}.`]),
  ];
}
