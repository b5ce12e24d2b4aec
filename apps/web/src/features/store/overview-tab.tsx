import { type MatchChoice, matchChoices, type Preferences } from '@draftshelf/domain/access/preferences';
import { Radio, Skeleton, Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/intl.ts';
import { BodyText, NewTabLink, PageLink, QuietText } from '../../ui/basics.tsx';
import { ReadView } from '../../ui/feedback/read.tsx';
import type { ToastRequest } from '../../ui/feedback/toast-state.ts';
import { TitledSection } from '../../ui/hint.tsx';
import { BudgetGauge, countOpenQuestions } from '../import/index.ts';
import { usePreferences, usePreferencesSave } from '../settings/index.ts';
import classes from './shopify.module.css';
import {
  distribution,
  type StoreInfo,
  type useCompletedImports,
  type useStoreProducts,
} from './store-api.ts';

export type StoreTabProps = {
  store: StoreInfo | undefined;
  products: ReturnType<typeof useStoreProducts>['data'];
  imports: ReturnType<typeof useCompletedImports>['data'];
  adminUrl: string | null;
};

export function OverviewTab({ store, products, imports, adminUrl }: StoreTabProps) {
  const counts = products && distribution(products.products);
  const listedCount = products?.products.length;
  const all = store?.total_products ?? listedCount;
  const countOfStatus = (status: string) => counts?.find((counted) => counted.status === status)?.count;
  return (
    <div className={`${classes.overview} grid gap-xl`}>
      <TitledSection id="store-information" title="Store information">
        {store === undefined ? (
          <Skeleton className={classes.dataToCome ?? ''} />
        ) : (
          <StoreData store={store} adminUrl={adminUrl} />
        )}
      </TitledSection>
      <TitledSection id="quick-stats" title="Quick stats">
        <dl className={`flush ${classes.stats} grid gap-md`}>
          <Stat name="Total Products" value={all} />
          <Stat
            name="Ready to Push"
            value={imports?.filter((record) => countOpenQuestions(record) === 0).length}
            link="/shopify?tab=batch"
          />
          <Stat name="Draft Products" value={countOfStatus('draft')} />
          <Stat name="Active Products" value={countOfStatus('active')} />
        </dl>
        <QuietText>
          {countedWords(listedCount !== undefined && all !== listedCount ? listedCount : null)}
        </QuietText>
      </TitledSection>
      <TitledSection id="store-budget" title="API budget" className={classes.budget} folded>
        <BudgetGauge />
      </TitledSection>
      <InStoreChoice />
    </div>
  );
}

/** `newest`: number of newest products whose statuses were counted; null if all products were counted. */
function countedWords(newest: number | null): string {
  const products =
    newest === null ? 'all products' : `the ${formatCount(newest)} products that were changed last`;
  return `“Ready to Push” is a number of imports. “Draft” and “Active” are numbers of products, out of ${products}.`;
}

function StoreData({ store, adminUrl }: { store: StoreInfo; adminUrl: string | null }) {
  const { name, domain, currency, plan_name, email } = store;
  if ([name, domain, currency, plan_name, email].every((value) => !value)) {
    return <BodyText>No store information available</BodyText>;
  }
  const link =
    domain && adminUrl ? (
      <NewTabLink href={adminUrl} underline="always">
        {domain}
      </NewTabLink>
    ) : (
      domain
    );
  return (
    <dl className={`flush ${classes.data}`}>
      <Entry name="Name">{name}</Entry>
      <Entry name="Domain">{link}</Entry>
      <Entry name="Currency">{currency}</Entry>
      <Entry name="Plan">{plan_name}</Entry>
      <Entry name="Email">{email}</Entry>
    </dl>
  );
}

const Entry = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="row top gap-md pad-y-6 line-below">
    <dt className="quiet">{name}</dt>
    <dd className="break-words">{children || '–'}</dd>
  </div>
);

function Stat({ name, value, link }: { name: string; value: number | undefined; link?: string }) {
  const number = value === undefined ? <Skeleton height={28} width={48} /> : formatCount(value);
  return (
    <div>
      <dt className="quiet">{name}</dt>
      <dd className="figure numbers">
        {link === undefined || value === undefined ? (
          number
        ) : (
          <PageLink to={link} inherit>
            {number}
          </PageLink>
        )}
      </dd>
    </div>
  );
}

const words: Record<MatchChoice, { label: string; description: string }> = {
  skip: { label: 'Skip them', description: 'Nothing is written. The row links to the product in the store.' },
  update: { label: 'Update them', description: 'The product in the store gets the values from the file.' },
  create: {
    label: 'Create new ones',
    description: 'The store then has two products with the same SKU or UPC.',
  },
};

/** The choice of what a push does with products that the store already has. A change is saved at once. */
function InStoreChoice() {
  const { mutate, isPending } = usePreferencesSave('Couldn’t save the choice', savedWords);
  return (
    <TitledSection id="in-store-choice" title="Already in the store">
      <ReadView of={usePreferences()} what="this choice" meanwhile={<Skeleton height={160} />}>
        {(saved) => (
          <>
            <Radio.Group
              label="If a product with the same SKU or UPC is already in the store"
              description="Products that Draftshelf pushed don’t need this choice. Applies from the next push on. The report of an import offers another choice for that import."
              value={saved.whenInStore}
              onChange={(whenInStore) => !isPending && mutate({ body: { whenInStore } })}
            >
              <Stack gap="xs" mt="sm">
                {matchChoices.map((choice) => (
                  <Radio key={choice} value={choice} {...words[choice]} />
                ))}
              </Stack>
            </Radio.Group>
            <Switch
              label="Send what doesn’t overlap"
              description="A product that was changed in the store since the last push still gets your changes to its other parts. If this is off, the whole product waits for your decision."
              checked={saved.sendNonOverlapping}
              onChange={({ currentTarget: { checked } }) => {
                if (!isPending) mutate({ body: { sendNonOverlapping: checked } });
              }}
            />
          </>
        )}
      </ReadView>
    </TitledSection>
  );
}

function savedWords(
  { whenInStore, sendNonOverlapping }: Preferences,
  changed: Partial<Preferences>,
): ToastRequest {
  const ofParts = sendNonOverlapping
    ? 'From the next push on, only parts that both sides have changed wait for a decision.'
    : 'From the next push on, products that were changed in the store wait for a decision.';
  return {
    title: 'Choice saved',
    text: 'whenInStore' in changed ? `From the next push on: ${words[whenInStore].label}.` : ofParts,
  };
}
