import { autoPushRanges } from '@draftshelf/domain/access/preferences';
import { type Settings, settingsDefault } from '@draftshelf/domain/access/settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError, messageOf } from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { type Difference, type EditDraft, useDraft } from '../../ui/draft.tsx';
import { type ToastRequest, toast } from '../../ui/feedback/toast-state.ts';
import { settingsRead, useSettingsSave, type VersionedSettings } from './settings-api.ts';

export type SettingsEdit = ReturnType<typeof useSettingsForm>['edit'];
export type SettingsForm = SettingsEdit['form'];

/** The form of all tabs, which are saved together. Calls `onWrongNumber` instead of saving a wrong number. */
export function useSettingsForm(onWrongNumber: () => void) {
  const query = useQuery(settingsRead());
  const client = useQueryClient();
  const mutation = useSettingsSave();
  const draft = useDraft<VersionedSettings, Edited>({
    ...draftRules,
    read: query.data,
    isSaving: mutation.isPending,
  });
  const { base, edited, conflict, take } = draft;
  const { values } = edited;
  const [isAsking, setIsAsking] = useState(false);
  const [wrongNumber, setWrongNumber] = useState<NumberSetting | null>(null);
  const numbers = numbersOf(edited);

  const onError = async (error: Error) => {
    toast(buildSaveFailedToast(error));
    if (!(error instanceof CallError) || error.status !== 409) return;
    draft.setConflict(await client.fetchQuery({ ...settingsRead(), staleTime: 0 }));
  };
  const saveOver = (version: string | null) =>
    mutation.mutate(
      {
        settings: values,
        version,
        numbers: Object.fromEntries(numbers.map(([name, text]) => [name, parseSettingNumber(name, text)])),
      },
      {
        onSuccess: ({ saved, failure }) => {
          if (failure !== null) {
            draft.rebase(saved);
            toast(buildNumbersFailedToast(failure));
            return;
          }
          draft.keep(saved, edited);
          toast({ title: 'Settings Updated', text: 'Your settings have been saved successfully' });
        },
        onError,
      },
    );
  const save = () => {
    const wrong = numbers.find(([name, text]) => parseSettingNumber(name, text) === null)?.[0];
    if (wrong) {
      toast(buildSaveFailedToast(new Error(`${numberLabels[wrong]}: ${describeNumberMistake(wrong)}`)));
      setWrongNumber(wrong);
      onWrongNumber();
    } else if (beginsFullAuto(values, base)) setIsAsking(true);
    else saveOver(base?.version ?? null);
  };
  return {
    query,
    edit: {
      form: {
        ...formOf(draft),
        /** The name of a wrong number, until the number's field has the focus; else null. */
        wrongNumber,
        onWrongNumberFocused: () => setWrongNumber(null),
      },
      isDirty: draft.isDirty,
      isSaving: mutation.isPending,
      conflict,
      /** True while the operator is asked whether new files are pushed without a review. */
      isAsking,
      save,
      confirm: () => saveOver(base?.version ?? null),
      stopAsking: () => setIsAsking(false),
      discard: () => take(query.data ?? base ?? { settings: settingsDefault, version: null }),
      /** After a conflict, saves the edits over the settings that another user has saved. */
      saveMine: () => saveOver(conflict?.version ?? null),
      useTheirs: () => conflict && take(conflict),
    },
  };
}

const formOf = ({ edited, edit }: EditDraft<VersionedSettings, Edited>) => ({
  ...edited,
  set: <Name extends keyof Settings>(name: Name, value: Settings[Name]) =>
    edit((now) => ({ ...now, values: { ...now.values, [name]: value } })),
  /** If `text` is null, restores the saved number. */
  enter: (name: NumberSetting, text: string | null) =>
    edit(({ entered: { [name]: _before, ...others }, ...now }) => ({
      ...now,
      entered: text === null ? others : { ...others, [name]: text },
    })),
});

/** `entered` has the texts of numbers that differ from the saved ones. These numbers are preferences. */
type Edited = { values: Settings; entered: Partial<Record<NumberSetting, string>> };

const draftRules = {
  empty: { values: settingsDefault, entered: {} },
  editedOf: ({ settings }: VersionedSettings) => ({ values: settings, entered: {} }),
  isSame: (edited: Edited, { settings }: VersionedSettings) =>
    numbersOf(edited).length === 0 && changedNames(edited.values, settings).length === 0,
};

/** Without full auto the numbers are hidden and not saved. */
const numbersOf = ({ values, entered }: Edited) =>
  values.autoProcessMode === 'full-auto' ? (Object.entries(entered) as [NumberSetting, string][]) : [];

const beginsFullAuto = (values: Settings, base: VersionedSettings | null): boolean =>
  values.autoProcessMode === 'full-auto' && base?.settings.autoProcessMode !== 'full-auto';

export type NumberSetting = keyof typeof autoPushRanges;

export const numberSettings = Object.keys(autoPushRanges) as NumberSetting[];

export const numberLabels: Record<NumberSetting, string> = {
  autoPushDelayMinutes: 'Wait before a push (minutes)',
  autoPushMax: 'Largest import to push (products)',
};

/** Digits, also with separators before groups of three: '2500', '2,500', '2 500'. */
const wholeNumber = /^(?:\d+|\d{1,3}(?:[\s,]\d{3})+)$/;

/** Null if the text is no whole number, or the number is out of range. */
export function parseSettingNumber(name: NumberSetting, text: string): number | null {
  const { min, max } = autoPushRanges[name];
  const typed = text.trim();
  const number = wholeNumber.test(typed) ? Number(typed.replaceAll(/\D/g, '')) : -1;
  return number >= min && number <= max ? number : null;
}

const units: Record<NumberSetting, string> = { autoPushDelayMinutes: 'minutes', autoPushMax: 'products' };

/** Example: 'from 0 to 1,440 minutes'. */
export const settingRangeWords = (name: NumberSetting): string =>
  `from ${formatCount(autoPushRanges[name].min)} to ${formatCount(autoPushRanges[name].max)} ${units[name]}`;

export const describeNumberMistake = (name: NumberSetting): string =>
  `Enter a whole number ${settingRangeWords(name)}.`;

export const settingLabels: Record<keyof Settings, string> = {
  draftMode: 'Safe Mode (Draft Only)',
  batchSize: 'Batch Size',
  autoRetry: 'Auto-retry Failed Items',
  aiValidation: 'AI Validation & Enhancement',
  upcLookup: 'UPC Image Lookup',
  oneDriveEnabled: 'Enable file monitoring',
  oneDriveFolder: 'Watch folder path',
  watchFrequency: 'Watch frequency',
  autoProcessMode: 'Auto-processing mode',
  deleteAfterProcess: 'Delete after processing',
  moveToArchive: 'Move to archive',
  notifyOnCompletion: 'Notify on completion',
};

const ofUploads = 'The default for new uploads. Each upload can change it.';

/** Descriptions of the switches. */
export const switchDescriptions = {
  draftMode: 'Always create products as drafts, even if a row says otherwise. Applies from the next push.',
  aiValidation: ofUploads,
  upcLookup: ofUploads,
  autoRetry: 'Retries a failed import after 5, 15 and 45 minutes. Short interruptions are always retried.',
  oneDriveEnabled: 'Watches the local folder, if there is one, and OneDrive once it is connected.',
  deleteAfterProcess:
    'Deletes new files after their import has been processed. OneDrive keeps them in its recycle bin.',
  moveToArchive: 'Moves new files to Archive. With both options on, no files are deleted.',
  notifyOnCompletion:
    'For the files of each check, adds a line to the recent activity, even if there are only a few.',
} as const;

/** The requirements prescribe these texts. */
export function buildSaveFailedToast(error: Error): ToastRequest {
  const text = messageOf(error, 'Failed to update settings');
  return { title: 'Update Failed', text, tone: 'failure' };
}

export function buildNumbersFailedToast(error: Error): ToastRequest {
  const text = `The settings were saved, but not the numbers of full auto. ${messageOf(error, 'Try again.')}`;
  return { title: 'Update Failed', text, tone: 'failure' };
}

/** Returns the settings that differ, in the order of the screen. */
function changedNames(mine: Settings, theirs: Settings): (keyof Settings)[] {
  const names = Object.keys(settingLabels) as (keyof Settings)[];
  return names.filter((name) => mine[name] !== theirs[name]);
}

/** Example: 'Every 30 minutes', 'Every hour', 'Every 2 hours'. */
export function frequencyWords(minutes: string): string {
  const count = Number(minutes);
  if (count < 60) return `Every ${count} minutes`;
  return count === 60 ? 'Every hour' : `Every ${count / 60} hours`;
}

type Mode = Settings['autoProcessMode'];

export const modeLabels: Record<Mode, string> = {
  manual: 'Manual',
  'validate-only': 'Validate only',
  'full-auto': 'Full auto',
};

/** `delayMinutes` is undefined if the delay is unknown. */
export function describeMode(mode: Mode, delayMinutes: number | undefined): string {
  if (mode === 'manual') return 'Every file waits for your review.';
  if (mode === 'validate-only') {
    return 'Files are checked. A file whose products are all valid becomes ready, and waits for your push.';
  }
  const pushed =
    'What is ready is pushed without a review, as drafts only and if the columns are sure. The push begins';
  const read = 'the file was read and its look-ups ended';
  if (delayMinutes === 0) return `${pushed} as soon as ${read}.`;
  const delay = delayMinutes === undefined ? 'a few minutes' : countOf(delayMinutes, 'minute');
  return `${pushed} ${delay} after ${read}. You can stop it until then.`;
}

/** Example: 'On', '50', 'Every hour'. */
function valueWords(name: keyof Settings, value: Settings[keyof Settings]): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (name === 'watchFrequency') return frequencyWords(String(value));
  if (name === 'autoProcessMode') return modeLabels[value as Mode];
  return value === '' ? 'Empty' : String(value);
}

export const listSettingDifferences = (mine: Settings, theirs: Settings): Difference[] =>
  changedNames(mine, theirs).map((name) => ({
    label: settingLabels[name],
    mine: valueWords(name, mine[name]),
    theirs: valueWords(name, theirs[name]),
  }));
