import { rowKeyColumn } from '@draftshelf/csv/own-download';
import { formatFileSize } from '@draftshelf/domain/base/format';
import { isContainerName } from '@draftshelf/domain/reading/list-files';
import { Collapse, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { correctionsPath } from '../../../lib/paths.ts';
import { BodyText, Button, PlainButton, QuietText, SubtleButton } from '../../../ui/basics.tsx';
import { SaveFailure } from '../../../ui/form.tsx';
import { type EarlierImports, useCorrectedImport, useCorrectionsUpload } from '../../import/index.ts';
import type { useChosenFiles } from '../files/chosen-files.ts';
import { fileDetailsId } from '../files/file-list.tsx';
import { findEarlierImport } from '../files/file-words.ts';
import classes from '../upload.module.css';
import { UploadChoices, type useUploadChoices } from '../upload-choices.tsx';
import { DialectLine, type DialectLineProps, FilePreview } from './file-preview.tsx';
import type { Preview } from './preview.ts';
import type { ReadingFailure } from './preview-state.ts';

type SelectedFileProps = {
  selection: ReturnType<typeof useChosenFiles>;
  earlier: EarlierImports;
  choices: ReturnType<typeof useUploadChoices>;
  onOther: (id: number) => void;
  onUpload: () => void;
};

/** The selected file: the switches of the upload, and the section that the file's row unfolds. */
export function SelectedFile({ selection, earlier, choices, onOther, onUpload }: SelectedFileProps) {
  const { current, reading } = selection;
  const rowKey = rowKeyIn(reading.preview);
  return (
    <div className={`${classes.check} grid gap-lg`}>
      {current !== null && rowKey !== null && (
        <CorrectionsOffer key={current.id} file={current.file} rowKey={rowKey} onUpload={onUpload} />
      )}
      <UploadChoices choices={choices} />
      {current !== null && (
        <div className={classes.preview} id={fileDetailsId}>
          <Unfolded key={current.id} {...{ selection, current, earlier, onOther }} />
        </div>
      )}
    </div>
  );
}

/** Returns the first row key of a file; null unless the file is a download of an import's rows. */
function rowKeyIn(preview: Preview | null): string | null {
  const column = preview?.headers.indexOf(rowKeyColumn) ?? -1;
  if (column === -1) return null;
  return preview?.firstRows.map(({ cells }) => cells[column]?.trim()).find(Boolean) ?? null;
}

type UnfoldedProps = Pick<SelectedFileProps, 'selection' | 'earlier' | 'onOther'> & {
  current: NonNullable<SelectedFileProps['selection']['current']>;
};

function Unfolded({ selection, current, earlier, onOther }: UnfoldedProps) {
  const { reading, dialect } = selection;
  const refusal = current.isRefused && current.checked?.kind === 'failed' ? current.checked.failure : null;
  const failure = reading.failure ?? refusal;
  if (failure?.isOfBrowser) return <BodyText>{failure.message}</BodyText>;
  if (failure !== null) {
    return (
      <ParseFailure
        {...{ failure, dialect }}
        file={current.file}
        isWhole={false}
        onOther={() => onOther(current.id)}
      />
    );
  }
  return <FilePreview {...{ selection, current }} earlier={findEarlierImport(current, earlier)} />;
}

/** Shown for a download of an import's rows: the operator chooses whether it corrects them or becomes a new import. */
function CorrectionsOffer({ file, rowKey, onUpload }: { file: File; rowKey: string; onUpload: () => void }) {
  const { data: corrected } = useCorrectedImport(rowKey);
  const upload = useCorrectionsUpload();
  const navigate = useNavigate();
  if (corrected === undefined) return null;
  const apply = () =>
    upload.mutate(
      { importId: corrected.id, file },
      { onSuccess: ({ id }) => void navigate(correctionsPath(corrected.id, id)) },
    );
  return (
    <section className={`stack ${classes.offer} framed gap-xs pad`} aria-label="Corrections">
      <p>
        This file has corrections of <strong className="break-words">{corrected.filename}</strong>.
      </p>
      <SaveFailure error={upload.error} title="Couldn’t use the file." />
      <Group gap="xs">
        <Button loading={upload.isPending} onClick={apply}>
          <span className="ellipsis">Apply Corrections to {corrected.filename}</span>
        </Button>
        <PlainButton onClick={onUpload}>Upload as a New Import</PlainButton>
      </Group>
    </section>
  );
}

type ParseFailureProps = {
  file: File;
  failure: ReadingFailure;
  dialect: DialectLineProps;
  /** Whether the file has the whole screen, because it is the only one. Otherwise it is below the rows. */
  isWhole: boolean;
  onOther: () => void;
};

export function ParseFailure({ file, failure, dialect, isWhole, onOther }: ParseFailureProps) {
  const [open, setOpen] = useState(dialect.focused !== null);
  const heading = isContainerName(file.name) ? 'This File Can’t Be Read' : 'CSV Parse Error';
  return (
    <Stack align="center" gap="md" py="xl">
      {isWhole && <title>{`${heading} · Draftshelf`}</title>}
      <Stack align="center" gap="md" role="alert">
        <IconAlertTriangle size={40} stroke={1.5} color="var(--text-bad)" aria-hidden />
        <Title order={isWhole ? 1 : 2}>{heading}</Title>
        <Text fw={550} className="break-words">
          {file.name}{' '}
          <QuietText component="span" className="numbers">
            {formatFileSize(file.size)}
          </QuietText>
        </Text>
        <Text ta="center" maw={560} style={{ overflowWrap: 'anywhere' }}>
          {failure.message}
        </Text>
        {failure.detail !== undefined && <Text ta="center">{failure.detail}</Text>}
      </Stack>
      <Button variant={isWhole ? 'filled' : 'default'} onClick={onOther}>
        Select Different File
      </Button>
      {!failure.isBeyondDialects && (
        <Stack gap="xs" w="100%" maw="var(--form-width-max)" mt="md">
          <SubtleButton aria-expanded={open} onClick={() => setOpen(!open)}>
            Read It Differently
          </SubtleButton>
          <Collapse expanded={open}>{open && <DialectLine {...dialect} folds={false} />}</Collapse>
        </Stack>
      )}
    </Stack>
  );
}
