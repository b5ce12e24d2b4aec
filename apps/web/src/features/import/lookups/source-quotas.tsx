import type { SourceState } from '@draftshelf/contract/enrich/sources';
import { Group, Progress, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { CallRequest } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { Moment } from '../../../ui/time.tsx';
import { blockedWords, quotaWords } from './lookup-words.ts';
import { SourceSettings } from './source-settings.tsx';
import { useSources, useSourcesChange } from './sources-api.ts';

/** The sources of product data: switch, quota with its reset time, and order. */
export function SourceQuotas() {
  const sources = useSources();
  return (
    <Read of={sources} what="the UPC services" meanwhile={<Skeleton height={160} />}>
      {(all) => <Sources all={all} />}
    </Read>
  );
}

function Sources({ all }: { all: readonly SourceState[] }) {
  const change = useSourcesChange('Couldn’t change the service');
  const save = (sources: SourceChanges) => change.mutate({ body: { sources } });
  const moveUp = (at: number) => {
    const [lower, upper] = [all[at], all[at - 1]];
    if (!lower || !upper) return;
    const order = all.with(at - 1, lower).with(at, upper);
    save(order.map(({ name }, position) => ({ name: name as NameOf, position })));
  };
  return (
    <Stack gap="sm">
      <ul className="list stack gap-md" aria-label="UPC services">
        {all.map((source, at) => (
          <SourceLine
            key={source.name}
            source={source}
            busy={change.isPending}
            onSwitch={(enabled) => save([{ name: source.name as NameOf, enabled }])}
            onUp={at === 0 ? null : () => moveUp(at)}
          />
        ))}
      </ul>
      <ForgetButton />
    </Stack>
  );
}

type SourceChanges = NonNullable<CallRequest<'changeSources'>['body']>['sources'];
type NameOf = SourceChanges[number]['name'];

type SourceLineProps = {
  source: SourceState;
  busy: boolean;
  onSwitch: (enabled: boolean) => void;
  onUp: (() => void) | null;
};

function SourceLine({ source, busy, onSwitch, onUp }: SourceLineProps) {
  const { quota, label } = source;
  const [isOpen, setOpen] = useState(false);
  const left = Math.max(0, quota.perDay - quota.day);
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <Switch
          label={label}
          checked={source.enabled}
          disabled={busy || source.keyMissing}
          description={descriptionOf(source)}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
        />
        <Group gap="xs">
          <Button
            size="compact-md"
            variant="subtle"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            aria-label={`${source.key === null ? 'Quota' : 'Key and quota'} of ${label}`}
          >
            {source.key === null ? 'Quota' : 'Key and Quota'}
          </Button>
          {onUp !== null && (
            <Button
              size="compact-md"
              variant="subtle"
              color="gray"
              busy={busy}
              onClick={onUp}
              aria-label={`Move Up: ask ${label} earlier`}
            >
              Move Up
            </Button>
          )}
        </Group>
      </Group>
      {source.enabled && (
        <Stack gap={4} mt={4}>
          <Progress
            value={(100 * quota.day) / quota.perDay}
            aria-label={`Calls to ${label} in a day`}
            size="sm"
          />
          <Text size="sm" c="dimmed" className="numbers">
            {`${quotaWords(quota)}. ${formatCount(quota.day)} of ${countOf(quota.perDay, 'call')} used, ${formatCount(left)} left. `}
            {quota.freeAt !== null && (
              <>
                Calls are free again from <Moment time={quota.freeAt} />.
              </>
            )}
          </Text>
          {source.blockedUntil !== null && (
            <Text size="sm" role="status">
              {blockedWords(source.blockedBecause, { ...quota, left })} <Moment time={source.blockedUntil} />.
            </Text>
          )}
        </Stack>
      )}
      {isOpen && <SourceSettings source={source} />}
    </li>
  );
}

function descriptionOf({ keyMissing, simulated }: SourceState): string | null {
  if (keyMissing) return 'Needs a key.';
  return simulated ? 'Simulated. A real store or a key replaces it.' : null;
}

function ForgetButton() {
  const forget = useCall('forgetAnswers', { failed: 'Couldn’t forget the answers' });
  const toast = useToast();
  const start = () =>
    forget.mutate(
      { body: {} },
      {
        onSuccess: ({ forgotten }) =>
          toast({
            title: 'Answers forgotten',
            text: `${countOf(forgotten, 'answer')} forgotten. Products keep their values.`,
          }),
      },
    );
  return (
    <Group gap="sm">
      <Button variant="default" size="compact-md" loading={forget.isPending} onClick={start}>
        Forget Answers
      </Button>
      <Text size="sm" c="dimmed">
        Answers are kept for 180 days, so no code is asked about twice.
      </Text>
    </Group>
  );
}
