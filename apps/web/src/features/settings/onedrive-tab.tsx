import type { Folder } from '@draftshelf/contract/folders/folders';
import type { Preferences } from '@draftshelf/domain/access/preferences';
import { autoProcessModes, watchFrequencies } from '@draftshelf/domain/access/settings';
import { Select, Skeleton, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { PlainButton } from '../../ui/basics.tsx';
import { ReadFailure, ReadView } from '../../ui/feedback/read.tsx';
import { Setting } from '../../ui/form.tsx';
import { TitledSection } from '../../ui/hint.tsx';
import {
  FolderFiles,
  FolderStatus,
  isOpen,
  SignInPanel,
  useFolders,
  useLatestSignIn,
  useSignIn,
} from '../folders/index.ts';
import { SettingSwitch } from './setting-switch.tsx';
import { usePreferences, useSettings } from './settings-api.ts';
import {
  describeMode,
  describeNumberMistake,
  frequencyWords,
  modeLabels,
  type NumberSetting,
  numberLabels,
  numberSettings,
  parseSettingNumber,
  type SettingsForm,
  settingLabels,
  settingRangeWords,
} from './use-settings-form.ts';

type OneDriveTabProps = { form: SettingsForm; onSubmit: (event: FormEvent) => void };

export function OneDriveTab({ form, onSubmit }: OneDriveTabProps) {
  const folders = useFolders();
  const of = (source: Folder['source']) => folders.data?.find((folder) => folder.source === source);
  const [oneDrive, local] = [of('onedrive'), of('local')];
  return (
    <Stack gap="xl">
      {folders.data === undefined && <ReadFailure what="the watched folders" reads={[folders]} />}
      {(folders.isPending || oneDrive !== undefined) && <OneDrive folder={oneDrive} />}
      {local !== undefined && <FolderStatus title="Local folder" folder={local} />}
      {/* The form appears after the folders, because a question about their files would move it. */}
      {folders.isPending ? (
        <Skeleton height={560} />
      ) : (
        <form onSubmit={onSubmit}>
          <TitledSection id="monitoring" title="Monitoring">
            <FolderSettings form={form} />
          </TitledSection>
        </form>
      )}
      {local !== undefined && <FolderFiles folder={local} title="Files of the local folder" />}
      {oneDrive?.isSignedIn && <FolderFiles folder={oneDrive} title="Files of OneDrive" />}
    </Stack>
  );
}

/** The panel opens if a sign-in is in progress. */
function OneDrive({ folder }: { folder: Folder | undefined }) {
  const settings = useSettings();
  const [isShown, setIsShown] = useState(false);
  const [followed, setFollowed] = useState<string | null>(null);
  const latest = useLatestSignIn().data?.signIn;
  const openId = latest && isOpen(latest) ? latest.id : null;
  if (openId !== null && openId !== followed && !isShown) {
    setFollowed(openId);
    setIsShown(true);
  }
  const signIn = useSignIn(followed);
  return (
    <Stack gap="sm">
      <FolderStatus
        title="OneDrive"
        folder={folder}
        isOn={settings.data?.oneDriveEnabled}
        onSignIn={isShown ? undefined : () => setIsShown(true)}
      >
        <PlainButton aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          Configure
        </PlainButton>
      </FolderStatus>
      {isShown && folder !== undefined && settings.data !== undefined && (
        <SignInPanel
          folder={folder}
          settings={settings.data}
          signIn={signIn}
          signedInBy={latest?.state === 'done' ? latest.way : undefined}
          onBegun={setFollowed}
          onDisconnected={() => setFollowed(null)}
        />
      )}
    </Stack>
  );
}

/** The settings can be changed before a folder is connected. */
function FolderSettings({ form }: { form: SettingsForm }) {
  const { oneDriveFolder, watchFrequency, autoProcessMode } = form.values;
  const numbers = usePreferences();
  const { autoPushDelayMinutes: typed } = form.entered;
  /** Undefined if the saved delay is unknown or the typed delay is invalid. */
  const delayMinutes =
    typed === undefined
      ? numbers.data?.autoPushDelayMinutes
      : (parseSettingNumber('autoPushDelayMinutes', typed) ?? undefined);
  return (
    <Stack className="panel" py={4} gap={0}>
      <SettingSwitch form={form} name="oneDriveEnabled" />
      <Setting>
        <TextInput
          label={settingLabels.oneDriveFolder}
          description="A folder of OneDrive."
          placeholder="/SCD CSV Processing"
          maxLength={1000}
          value={oneDriveFolder}
          onChange={(event) => form.set('oneDriveFolder', event.currentTarget.value)}
        />
      </Setting>
      <Setting>
        <Select
          label={settingLabels.watchFrequency}
          description="How often Draftshelf looks for new files."
          data={watchFrequencies.map((value) => ({ value, label: frequencyWords(value) }))}
          value={watchFrequency}
          onChange={(frequency) => frequency !== null && form.set('watchFrequency', frequency)}
        />
      </Setting>
      <Setting>
        <Select
          label={settingLabels.autoProcessMode}
          description={describeMode(autoProcessMode, delayMinutes)}
          data={autoProcessModes.map((value) => ({ value, label: modeLabels[value] }))}
          value={autoProcessMode}
          onChange={(mode) => mode !== null && form.set('autoProcessMode', mode)}
        />
      </Setting>
      {/* These numbers are preferences, but are saved together with the settings. */}
      {autoProcessMode === 'full-auto' && (
        <ReadView of={numbers} what="the numbers of full auto" meanwhile={<Skeleton height={160} />}>
          {(saved) =>
            numberSettings.map((name) => <NumberField key={name} name={name} form={form} saved={saved} />)
          }
        </ReadView>
      )}
      <SettingSwitch form={form} name="deleteAfterProcess" />
      <SettingSwitch form={form} name="moveToArchive" />
      <SettingSwitch form={form} name="notifyOnCompletion" />
    </Stack>
  );
}

const effects: Record<NumberSetting, string> = {
  autoPushDelayMinutes:
    'Until this delay is over, you can stop the push. Pushes that are already scheduled keep their time.',
  autoPushMax: 'Larger imports wait for you.',
};

function NumberField({ name, form, saved }: { name: NumberSetting; form: SettingsForm; saved: Preferences }) {
  const entered = form.entered[name];
  const takeFocus = (input: HTMLInputElement | null) => {
    if (input === null || form.wrongNumber !== name) return;
    input.focus();
    form.onWrongNumberFocused();
  };
  return (
    <Setting>
      <TextInput
        ref={takeFocus}
        label={numberLabels[name]}
        description={`A whole number ${settingRangeWords(name)}. ${effects[name]}`}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={entered ?? String(saved[name])}
        error={
          entered !== undefined && parseSettingNumber(name, entered) === null && describeNumberMistake(name)
        }
        onChange={({ currentTarget: { value } }) =>
          form.enter(name, parseSettingNumber(name, value) === saved[name] ? null : value)
        }
      />
    </Setting>
  );
}
