import { aiSwitchSentence } from '@draftshelf/domain/enrich/ai/privacy-text';
import { Group, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readOf } from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { QuietText } from '../../ui/basics.tsx';
import { HelpTip } from '../../ui/hint.tsx';
import { useSettings } from '../settings/index.ts';
import type { ClassCounts } from './files/file-words.ts';
import classes from './upload.module.css';

/** The choices for one upload. They begin with the values of Settings. */
export function useUploadChoices() {
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

const noteOf = (isSetUp: boolean, isOn: boolean) =>
  isSetUp && !isOn ? 'While this is off, AI can’t be asked about this file.' : aiSwitchSentence(isSetUp);

export function UploadChoices({ choices }: { choices: ReturnType<typeof useUploadChoices> }) {
  const { data: ai } = useQuery(readOf('readAi'));
  return (
    <Stack gap="sm">
      <Group gap={4} wrap="nowrap">
        <Switch
          label="UPC Image Lookup"
          checked={choices.upc}
          disabled={choices.upcOff !== null}
          description={choices.upcOff}
          onChange={(event) => choices.setUpc(event.currentTarget.checked)}
        />
        <HelpTip topic="UPC lookup" />
      </Group>
      <Group gap={4} wrap="nowrap">
        <Switch
          label="AI Validation & Enhancement"
          checked={choices.ai}
          // Reserves the line of the text until the text is known.
          description={
            <span className={`${classes.note} block`}>{ai && noteOf(ai.configured, choices.ai)}</span>
          }
          onChange={(event) => choices.setAi(event.currentTarget.checked)}
        />
        <HelpTip topic="AI validation" />
      </Group>
      <QuietText>Applies to this upload only. Defaults come from Settings.</QuietText>
    </Stack>
  );
}

/** Example: 'Upload 48 Products'. */
export const uploadLabel = (validProducts: number): string => `Upload ${countOf(validProducts, 'Product')}`;

/** Numbers of files: to upload, still being checked, and readable only by the server. */
type Scope = {
  files: number;
  checking: number;
  unseen: number;
  classes: Pick<ClassCounts, 'products' | 'exact' | 'valid'>;
};

/** Returns hints of the buttons; null for a button without a file. `testFile`: name of the file that a test uploads. */
export function buildActionHints({ files, checking, unseen, classes }: Scope, testFile: string | null) {
  const { products, exact, valid } = classes;
  const amount = unseen > 0 ? 'at least ' : exact ? '' : 'about ';
  const content = products === 0 ? '' : ` with ${amount}${countOf(products, 'product')}`;
  const all = `Uploads ${countOf(files, 'file')}${content}`;
  const early = `Uploads ${countOf(files, 'file')} now, without waiting for the check.`;
  const same = valid === 0 ? '' : ` ${uploadLabel(valid)} does the same.`;
  const checked = `${all}, valid or not.${same}`;
  return {
    test: testFile && `Uploads only the first 3 rows of ${testFile}, as an import to try.`,
    processAll: files === 0 ? null : checking > 0 ? early : checked,
    upload: `${all}, ${valid === products ? 'all valid' : `${formatCount(valid)} of them valid`}. Process All does the same without waiting for the check.`,
  };
}

export function findUploadBlocker(at: {
  busy: boolean;
  files: number;
  fit: number;
  checking: number;
  unseen: number;
  valid: number;
}) {
  if (at.busy) return 'Another upload is in progress.';
  if (at.fit === 0) return 'None of these files can be uploaded.';
  if (at.checking > 0) {
    return at.files === 1 ? 'The file is still being read.' : 'Some files are still being checked.';
  }
  if (at.valid > 0) return null;
  return at.unseen > 0
    ? 'To upload files that this browser can’t preview, use Process All.'
    : 'No product has both a title and a valid price.';
}

/** Example: 'Rows 201–400 of 450'. */
export function describeRowRange(page: number, perPage: number, total: number): string {
  if (total === 0) return countOf(0, 'row');
  const first = (page - 1) * perPage + 1;
  return `Rows ${formatCount(first)}–${formatCount(Math.min(page * perPage, total))} of ${formatCount(total)}`;
}
