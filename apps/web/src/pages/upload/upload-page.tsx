import type { DialectChoice } from '@draftshelf/contract/dialect';
import type { MappingOverrides } from '@draftshelf/domain/mapping/header-mapping';
import { Button, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { loaderOf } from '../../api/loader.ts';
import { settingsRead, useSettings } from '../../api/settings.ts';
import { fileBytesMax, isCsvFile } from '../../api/upload.ts';
import type { DialectKey } from '../../components/dialect/dialect-words.ts';
import { useFailureToast } from '../../components/feedback/toast.tsx';
import type { HelpTopic } from '../../components/help/help-texts.ts';
import { HelpTip } from '../../components/help/help-tip.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { lazily } from '../../lib/load-chunk.ts';
import { AboutFiles } from './about-files.tsx';
import { DialectLine, type DialectLineProps } from './dialect-line.tsx';
import { DropZone } from './drop-zone.tsx';
import { limitWords } from './file-limit.ts';
import { changeOverrides, usePreviewMapping } from './preview-mapping.ts';
import { usePreview } from './preview-reader.ts';
import type { ReadingFailure } from './preview-state.ts';
import { RunPanel } from './run-panel.tsx';
import { uploadLabel } from './run-state.ts';
import classes from './upload.module.css';
import { useUploadRun } from './upload-run.tsx';

const PreviewPanel = lazily(() => import('./preview-panel.tsx').then((chunk) => chunk.PreviewPanel));

export const loader = loaderOf(() => [settingsRead()]);

export function Component() {
  const { file, setFile, choice, setChoice, changed, own, setOwn } = useChosenFile();
  const mapping = usePreviewMapping(own);
  const reading = usePreview(file, choice, mapping.overrides);
  const headers = reading.preview?.headers ?? null;
  useEffect(() => mapping.setHeaders(headers), [headers, mapping.setHeaders]);
  const complete = reading.complete && !mapping.pending;
  const run = useUploadRun();
  const choices = useUploadChoices();
  const failure = useFailureToast();
  const busy = run.state.phase === 'sending';
  useNoDropOutside();

  const choose = (chosen: File) => {
    const refusal = fileRefusal(chosen);
    if (refusal !== null) return failure.show(refusal.title, refusal.text);
    failure.dismiss();
    if (run.state.phase !== 'processing') run.clear();
    setFile(chosen);
  };
  const upload = (testMode: boolean) => {
    if (file === null) return;
    const { upc: enableUpc, ai: enableAi } = choices;
    run.start(file, { enableUpc, enableAi, testMode, dialect: choice, mapping: mapping.sent(testMode) });
    setFile(null);
  };
  const dialect: DialectLineProps = {
    detected: reading.detected,
    choice,
    onChange: setChoice,
    firstRecords: reading.preview?.firstRecords ?? [],
    focused: changed,
  };
  if (file !== null && reading.failure !== null) {
    return <ParseFailure failure={reading.failure} dialect={dialect} onOther={() => setFile(null)} />;
  }
  return (
    <Stack gap="lg">
      <title>Upload CSV · Draftshelf</title>
      <PageHeader title="Upload CSV" subtitle="Choose a file, check what’s in it, then upload it.">
        {file !== null && (
          <UploadActions
            valid={reading.preview?.valid ?? 0}
            complete={complete}
            busy={busy}
            onCancel={() => setFile(null)}
            onUpload={upload}
          />
        )}
      </PageHeader>
      {run.state.phase !== 'none' && <RunPanel state={run.state} />}
      <div className={classes.top}>
        <DropZone file={file} disabled={busy} onFile={choose} />
        <Choices choices={choices} />
      </div>
      {file !== null && (
        <Suspense fallback={<Skeleton height={220} />}>
          <PreviewPanel
            key={`${file.name} ${file.lastModified}`}
            file={file}
            state={reading}
            dialect={dialect}
            memory={mapping.memory}
            onMapping={(draft) => setOwn(changeOverrides(mapping.overrides, draft))}
            showPage={reading.showPage}
          />
        </Suspense>
      )}
      <AboutFiles />
    </Stack>
  );
}

type UploadActionsProps = {
  valid: number;
  complete: boolean;
  busy: boolean;
  onCancel: () => void;
  onUpload: (testMode: boolean) => void;
};

/** The buttons of both variants in the specification. 'Upload N Products' waits for the preview, the others do not. */
function UploadActions({ valid, complete, busy, onCancel, onUpload }: UploadActionsProps) {
  return (
    <>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button variant="default" disabled={busy} onClick={() => onUpload(true)}>
        Test (First 3)
      </Button>
      <Button variant="default" disabled={busy} onClick={() => onUpload(false)}>
        Process All
      </Button>
      <ReasonedButton reason={uploadBlock({ busy, complete, valid })} onClick={() => onUpload(false)}>
        {uploadLabel(valid)}
      </ReasonedButton>
    </>
  );
}

const noOverrides: DialectChoice = {};

/** The chosen file, its dialect overrides and the mapping overrides of its own, which are reset for another file. */
function useChosenFile() {
  const [file, setFile] = useState<File | null>(null);
  const [choice, setChoice] = useState(noOverrides);
  const [changed, setChanged] = useState<DialectKey | null>(null);
  const [own, setOwn] = useState<MappingOverrides | null>(null);
  return {
    file,
    choice,
    changed,
    own,
    setOwn,
    setFile(chosen: File | null) {
      setFile(chosen);
      setChoice(noOverrides);
      setChanged(null);
      setOwn(null);
    },
    setChoice(next: DialectChoice, key: DialectKey | null) {
      setChoice(next);
      setChanged(key);
    },
  };
}

/** Why a file is not accepted; null if it is. */
function fileRefusal(file: File): { title: string; text: string } | null {
  if (!isCsvFile(file)) return { title: 'Invalid File Type', text: 'Please select a CSV file' };
  const bytesMax = fileBytesMax();
  if (file.size <= bytesMax) return null;
  return {
    title: 'File Too Large',
    text: `${file.name} is larger than the ${limitWords(bytesMax)} limit. Split it into smaller files.`,
  };
}

/** Why 'Upload N Products' is disabled; null if it is enabled. */
function uploadBlock(at: { busy: boolean; complete: boolean; valid: number }): string | null {
  if (at.busy) return 'Another upload is in progress.';
  if (!at.complete) return 'The file is still being read.';
  return at.valid === 0 ? 'No product has both a title and a valid price.' : null;
}

/** Keeps the browser from opening a file that is dropped outside the drop zone. */
function useNoDropOutside(): void {
  useEffect(() => {
    const refuse = (event: Event) => event.preventDefault();
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

/** The two switches. They start with the values in Settings and apply to one upload. */
function useUploadChoices() {
  const settings = useSettings().data;
  const [upc, setUpc] = useState<boolean | null>(null);
  const [ai, setAi] = useState<boolean | null>(null);
  return {
    upc: settings?.upcLookup === false ? false : (upc ?? true),
    upcOff: settings?.upcLookup === false ? 'UPC image lookup is off in Settings.' : null,
    ai: ai ?? settings?.aiValidation ?? true,
    setUpc,
    setAi,
  };
}

function Choices({ choices }: { choices: ReturnType<typeof useUploadChoices> }) {
  return (
    <Stack gap="sm">
      <Choice
        label="UPC Image Lookup"
        topic="UPC lookup"
        checked={choices.upc}
        off={choices.upcOff}
        onChange={choices.setUpc}
      />
      <Choice
        label="AI Validation & Enhancement"
        topic="AI validation"
        checked={choices.ai}
        onChange={choices.setAi}
      />
      <Text size="sm" c="dimmed">
        Applies to this upload only. Defaults come from Settings.
      </Text>
    </Stack>
  );
}

type ChoiceProps = {
  label: string;
  topic: HelpTopic;
  checked: boolean;
  /** Why it is off and cannot be switched on; null if it can. */
  off?: string | null;
  onChange: (checked: boolean) => void;
};

function Choice({ label, topic, checked, off = null, onChange }: ChoiceProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Switch
        label={label}
        checked={checked}
        disabled={off !== null}
        description={off}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <HelpTip topic={topic} />
    </Group>
  );
}

type ParseFailureProps = { failure: ReadingFailure; dialect: DialectLineProps; onOther: () => void };

/** Replaces the screen if the file cannot be read: the cause, and what to do. */
function ParseFailure({ failure, dialect, onOther }: ParseFailureProps) {
  return (
    <Stack align="center" gap="md" py="xl">
      <title>CSV Parse Error · Draftshelf</title>
      <Stack align="center" gap="md" role="alert">
        <IconAlertTriangle size={40} stroke={1.5} color="var(--text-bad)" aria-hidden />
        <Title order={1}>CSV Parse Error</Title>
        <Text ta="center" maw={560} style={{ overflowWrap: 'anywhere' }}>
          {failure.message}
        </Text>
      </Stack>
      <Button onClick={onOther}>Select Different File</Button>
      {!failure.isBeyondDialects && (
        <Stack gap="xs" w="100%" maw="var(--form-width-max)" mt="md">
          <Text size="sm" c="dimmed">
            Or change how this file is read:
          </Text>
          <DialectLine {...dialect} />
        </Stack>
      )}
    </Stack>
  );
}
