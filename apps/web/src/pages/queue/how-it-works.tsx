import { Button, Collapse, Group, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import classes from './queue.module.css';

const steps = [
  { name: 'File upload', text: 'The CSV is stored byte for byte and cut into pieces.' },
  { name: 'Field mapping', text: 'Columns are recognised and mapped to the product’s fields.' },
  { name: 'Validation', text: 'Every row is checked for a title and a numeric price.' },
  { name: 'Store upload', text: 'After your review the products are pushed, as drafts by default.' },
  { name: 'Completion', text: 'Each product has an outcome and a link to the store.' },
] as const;

/** The five steps of the line; who knows them folds them away. */
export function HowItWorks() {
  const [open, setOpen] = useLocalStorage({
    key: 'draftshelf-queue-explainer',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return (
    <section className="panel" aria-labelledby="how-it-works">
      <Group justify="space-between">
        <Title order={2} id="how-it-works">
          How the Queue Works
        </Title>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide' : 'Show'}
        </Button>
      </Group>
      <Collapse expanded={open} transitionDuration={120}>
        <ol className={classes.steps}>
          {steps.map((step, index) => (
            <li key={step.name}>
              <span className={classes.stepNumber} aria-hidden>
                {index + 1}
              </span>
              <span>
                <strong>{step.name}</strong>
                <br />
                {step.text}
              </span>
            </li>
          ))}
        </ol>
      </Collapse>
    </section>
  );
}
