import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { Group, Stack, Text } from '@mantine/core';
import { countOf } from '../../lib/intl.ts';
import { Button } from '../../ui/button.tsx';
import { listFocus } from './rule-list.tsx';
import { ruleOfSuggestion } from './rule-words.ts';
import { useSuggestion } from './rules-api.ts';

type SuggestRulesProps = {
  /** Called with at least one rule. */
  onSuggested: (rules: CategoryRule[]) => void;
};

/** While there are no rules: offers rules from the store's products. They are saved only by the operator. */
export function SuggestRules({ onSuggested }: SuggestRulesProps) {
  const suggestion = useSuggestion();
  const start = () =>
    suggestion.mutate(undefined, {
      onSuccess: ({ rules }) => rules.length > 0 && onSuggested(rules.map(ruleOfSuggestion)),
    });
  return (
    <Stack gap="xs" {...listFocus}>
      <Text size="sm">
        There are no rules yet. Rules can be proposed from your store: words that at least 90 % of the titles
        of a product type have, and no title of another type.
      </Text>
      <Group>
        <Button variant="default" loading={suggestion.isPending} onClick={start}>
          Propose Rules from My Store
        </Button>
      </Group>
      <Text size="sm" role="status">
        {suggestion.isError && `Couldn’t propose rules: ${suggestion.error.message}`}
        {suggestion.data?.rules.length === 0 && nothingWords(suggestion.data.products)}
      </Text>
    </Stack>
  );
}

/** Why no rules are proposed after comparing a number of products. */
function nothingWords(products: number): string {
  if (products === 0) {
    return 'Your store’s products have not been read yet. Use Sync Inventory on the Shopify page, then try again.';
  }
  const compared = countOf(products, 'product of your store was', 'products of your store were');
  return `${compared} compared. No type with at least 20 products has such a word.`;
}
