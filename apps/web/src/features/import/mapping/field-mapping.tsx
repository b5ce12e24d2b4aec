import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { isRowField, labelOf, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { Group, Modal, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, QuietText, TextButton } from '../../../ui/basics.tsx';
import { CallFailure } from '../../../ui/feedback/read.tsx';
import { TextHintedButton, TitledSection } from '../../../ui/hint.tsx';
import { lazyOverlay } from '../../../ui/later.tsx';
import { DialogButtons } from '../../../ui/overlays.tsx';
import classes from '../import.module.css';
import type { ShownDetails, ShownImport } from '../imports-api.ts';
import { PriceHistogram } from '../prices/price-histogram.tsx';
import { sampledRowsWords, useValuesSample } from '../prices/prices.ts';
import { DialectFields, dialectWords, listChosenKeys, type ReadDialect } from './dialect-fields.tsx';
import { useFileTables, useMapping, useReread } from './mapping-api.ts';
import { MappingEditor } from './mapping-editor.tsx';
import { mappingOriginWords, missingFields } from './mapping-words.ts';
import { RememberedColumnsNote as Remembered } from './remembered-mappings.tsx';
import { RereadEffect } from './reread-effect.tsx';
import {
  invertDialectChange,
  invertMappingChange,
  type OnReread,
  rereadBlockReason,
} from './reread-rules.tsx';

type FieldMappingProps = { record: ShownDetails; onReread: OnReread };

export function FieldMapping({ record, onReread }: FieldMappingProps) {
  const mappedFields = Object.keys(record.fieldMapping).filter(
    (field): field is RowField => isRowField(field) && Boolean(record.fieldMapping[field]),
  );
  // A list of prices and stock needs neither a title nor a price.
  const needsNone = record.dialect === null || record.list?.isPartial === true;
  const missing = needsNone ? [] : missingFields((field) => Boolean(record.fieldMapping[field]));
  const fields = [...missing, ...mappedFields];
  return (
    <TitledSection
      id="field-mapping"
      title="Field Mapping"
      help="field mapping"
      gap="xs"
      headClass={classes.sectionHead}
    >
      {fields.length === 0 && <QuietText>Matching columns…</QuietText>}
      {record.dialect !== null && (
        <ImportMapping {...{ record, onReread }} isComplete={missing.length === 0} />
      )}
      {record.dialect !== null && (
        <Group gap={4} className={classes.reading ?? ''}>
          <BodyText>{dialectWords(record.dialect)}</BodyText>
          <DialectChangeButton
            {...{ record, onReread }}
            button={(open) => (
              <TextHintedButton
                aria-label="Change how this file is read"
                reason={rereadBlockReason(record)}
                onClick={open}
              >
                Change
              </TextHintedButton>
            )}
          />
        </Group>
      )}
      {record.fieldMapping.title && <ImportReadiness importId={record.id} />}
      {/* Not shown for a test import, which has only the file's first rows, so edits of later rows find no row. */}
      {!record.testMode && record.editsWithoutRow > 0 && (
        <BodyText className="marked gap-tight warning">
          <IconAlertTriangle size={14} aria-hidden /> {editsWithoutRowWords(record.editsWithoutRow)}
        </BodyText>
      )}
      <dl className={`${classes.mapping} grid size-sm`}>
        {fields.map((field) => (
          <div key={field} className="row top">
            <dt className="rigid dim">{labelOf(field)}</dt>
            <dd className="break-words">
              {record.fieldMapping[field] ?? (
                <span className="marked gap-tight warning">
                  <IconAlertTriangle size={14} aria-hidden /> No matching column
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {record.fieldMapping.price && (
        <div className={classes.prices}>
          <ImportPrices record={record} />
        </div>
      )}
    </TitledSection>
  );
}

/** `isComplete`: true if each required field has a column. */
type ImportMappingProps = FieldMappingProps & { isComplete: boolean };

/** Example: '20 of 39 columns used, matched automatically.' If there are overrides, they are described instead. */
function mappingWords(
  { record: { mappingSet }, isComplete }: Pick<ImportMappingProps, 'record' | 'isComplete'>,
  columns: readonly { field: string | null }[],
): string {
  const used = columns.filter(({ field }) => field !== null).length;
  const words = `${formatCount(used)} of ${countOf(columns.length, 'column')} used`;
  const setWords = mappingOriginWords(mappingSet);
  if (setWords !== '') return `${words}. ${setWords}`;
  return isComplete ? `${words}, matched automatically.` : `${words}.`;
}

/** A change of the mapping re-reads the stored file. */
function ImportMapping({ record, isComplete, onReread }: ImportMappingProps) {
  const [changing, setChanging] = useState(false);
  const mapping = useMapping(record.id, true);
  const offered = useMapping(record.id, changing, 'fresh');
  const change = useReread(record.id);
  const close = () => {
    setChanging(false);
    change.reset();
  };
  return (
    <Group gap={4} className={classes.reading ?? ''}>
      <BodyText style={{ overflowWrap: 'anywhere' }}>
        {mapping.data && mappingWords({ record, isComplete }, mapping.data.columns)}
      </BodyText>
      <TextHintedButton reason={rereadBlockReason(record)} onClick={() => setChanging(true)}>
        Change Mapping…
      </TextHintedButton>
      <MappingEditor
        opened={changing}
        // After a refused re-read the mapping is read again. Until then the editor keeps its columns and its focus.
        columns={offered.isFetching && change.isIdle ? undefined : offered.data?.columns}
        reads={[offered]}
        save="Re-read File"
        note="The stored file is read again with this mapping. Your edits are kept, and fields you haven’t set are matched again."
        saving={change.isPending}
        saveError={change.error}
        effectOf={(draft) => (
          <RereadEffect
            importId={record.id}
            change={Object.keys(draft).length === 0 ? null : { mapping: draft }}
          />
        )}
        onSave={(changes) =>
          change.mutate(
            { mapping: changes },
            {
              onSuccess: () => {
                onReread(invertMappingChange(offered.data?.columns ?? [], changes));
                close();
              },
            },
          )
        }
        onClose={close}
      >
        <Remembered columns={offered.data?.columns} />
      </MappingEditor>
    </Group>
  );
}

const ReadinessDrawer = lazyOverlay(() => import('../readiness/readiness-drawer.tsx'), 'ReadinessDrawer');

function ImportReadiness({ importId }: { importId: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <Group gap={4} className={classes.reading ?? ''}>
      <BodyText>What the products have for the store</BodyText>
      <TextButton onClick={() => setOpened(true)}>Readiness and Categories…</TextButton>
      <ReadinessDrawer importId={importId} opened={opened} onClose={() => setOpened(false)} />
    </Group>
  );
}

const editsWithoutRowWords = (edits: number): string =>
  edits === 1
    ? '1 edit doesn’t match any row right now. It’s saved and will apply again if its row returns.'
    : `${countOf(edits, 'edit')} don’t match any row right now. They’re saved and will apply again if their rows return.`;

function ImportPrices({ record }: { record: Pick<ShownImport, 'id' | 'status' | 'completedAt'> }) {
  const sample = useValuesSample(record.id, `${record.status} ${record.completedAt}`);
  return (
    <section aria-label="Prices">
      <BodyText fw={550}>Prices</BodyText>
      {sample !== undefined && <PriceHistogram counts={sample.prices} note={sampledRowsWords(sample)} />}
    </section>
  );
}

type ChangeDialectProps = {
  record: ShownImport;
  onReread: OnReread;
  button: (open: () => void) => ReactNode;
};

/** A button that opens a dialog to change the file's dialect. */
export function DialectChangeButton({ record: { id, dialect }, onReread, button }: ChangeDialectProps) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  if (dialect === null) return null;
  return (
    <>
      {button(() => setOpened(true))}
      <Modal opened={opened} onClose={close} title="File format" size="xl">
        <RereadForm importId={id} {...{ dialect, onReread }} onClose={close} />
      </Modal>
    </>
  );
}

type RereadFormProps = { importId: string; dialect: ReadDialect; onReread: OnReread; onClose: () => void };

function RereadForm({ importId, dialect, onReread, onClose }: RereadFormProps) {
  const [choice, setChoice] = useState<DialectChoice>({});
  const reread = useReread(importId);
  const { tables } = useFileTables(importId, dialect.table !== null);
  const nothing = listChosenKeys(choice).length === 0;
  const start = () =>
    reread.mutate(
      { dialect: choice },
      {
        onSuccess: () => {
          onReread(invertDialectChange(dialect, choice));
          onClose();
        },
      },
    );
  return (
    <Stack gap="md">
      <DialectFields
        basis={dialect}
        basisMark="current"
        choice={choice}
        onChange={setChoice}
        tables={tables}
        sheetRows={choice.table === undefined ? dialect.sheetRows : undefined}
      />
      <RereadEffect importId={importId} change={nothing ? null : { dialect: choice }} withRecords />
      <BodyText>
        The stored file is read again with these settings. Your edits are kept, and anything you haven’t set
        is detected again. If the file can’t be read this way, nothing changes.
      </BodyText>
      <CallFailure
        error={reread.error}
        title="Couldn’t re-read the file."
        otherwise="Check the import’s current status, then try again."
      />
      <DialogButtons
        reason={nothing ? 'Change at least one setting first.' : null}
        loading={reread.isPending}
        onClick={start}
        onCancel={onClose}
      >
        Re-read File
      </DialogButtons>
    </Stack>
  );
}
