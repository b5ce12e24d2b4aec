import { type MatchChoice, matchChoices } from '@draftshelf/domain/access/preferences';
import { Radio, Skeleton, Stack, Switch, Title } from '@mantine/core';
import { Read } from '../../ui/feedback/read.tsx';
import { useFailureToast, useToast } from '../../ui/feedback/toast.tsx';
import { usePreferences, usePreferencesSave } from '../settings/index.ts';

const words: Record<MatchChoice, { label: string; description: string }> = {
  skip: { label: 'Skip them', description: 'Nothing is written. The row links to the product in the store.' },
  update: { label: 'Update them', description: 'The product in the store gets the values from the file.' },
  create: { label: 'Create new ones', description: 'The store then has two products with the same key.' },
};

/** What a push does with products that the store already has, or that were changed there. It is saved at once. */
export function InStoreChoice() {
  return (
    <Stack component="section" gap="sm" aria-labelledby="in-store-choice">
      <Title order={2} id="in-store-choice">
        Already in the store
      </Title>
      <Read of={usePreferences()} what="this choice" meanwhile={<Skeleton height={160} />}>
        {({ whenInStore, sendNonOverlapping }) => (
          <>
            <Choices choice={whenInStore} />
            <NonOverlapping isOn={sendNonOverlapping} />
          </>
        )}
      </Read>
    </Stack>
  );
}

function Choices({ choice: current }: { choice: MatchChoice }) {
  const save = usePreferencesSave();
  const toast = useToast();
  const failure = useFailureToast();
  const choose = (whenInStore: MatchChoice) => {
    if (save.isPending) return;
    save.mutate(
      { whenInStore },
      {
        onSuccess: () => {
          failure.dismiss();
          toast({ title: 'Choice saved', text: `From the next push on: ${words[whenInStore].label}.` });
        },
        onError: (error) => failure.show('Couldn’t save the choice', error.message),
      },
    );
  };
  return (
    <Radio.Group
      label="If a product with the same SKU or UPC is already in the store"
      description="Products that were pushed from here don’t need this choice. Applies from the next push on. The report of an import offers another choice for that import."
      value={current}
      onChange={(value) => {
        const choice = matchChoices.find((option) => option === value);
        if (choice !== undefined) choose(choice);
      }}
    >
      <Stack gap="xs" mt="sm">
        {matchChoices.map((choice) => (
          <Radio key={choice} value={choice} {...words[choice]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function NonOverlapping({ isOn }: { isOn: boolean }) {
  const save = usePreferencesSave();
  const toast = useToast();
  const failure = useFailureToast();
  const set = (sendNonOverlapping: boolean) => {
    if (save.isPending) return;
    save.mutate(
      { sendNonOverlapping },
      {
        onSuccess: () => {
          failure.dismiss();
          const text = sendNonOverlapping
            ? 'From the next push on, only parts that both sides have changed wait for a decision.'
            : 'From the next push on, products that were changed in the store wait for a decision.';
          toast({ title: 'Choice saved', text });
        },
        onError: (error) => failure.show('Couldn’t save the choice', error.message),
      },
    );
  };
  return (
    <Switch
      label="Send what doesn’t overlap"
      description="A product that was changed in the store since the last push still gets your changes to its other parts. If this is off, the whole product waits for your decision."
      checked={isOn}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  );
}
