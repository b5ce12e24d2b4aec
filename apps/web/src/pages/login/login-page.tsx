import { Alert, Button, Center, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useLogin } from '../../api/auth.ts';
import { brandName } from '../../components/brand.tsx';
import { useFailureToast } from '../../components/feedback/toast.tsx';

export function Component() {
  const [accessKey, setAccessKey] = useState('');
  const login = useLogin();
  const navigate = useNavigate();
  const failure = useFailureToast();
  const signIn = (event: FormEvent) => {
    event.preventDefault();
    if (accessKey.trim() === '') {
      failure.show('Error', 'Please enter your access key');
      return;
    }
    login.mutate(accessKey, {
      onSuccess: () => {
        failure.dismiss();
        navigate('/', { replace: true });
      },
      onError: () => failure.show('Login Failed', 'Please check your access key and try again'),
    });
  };
  return (
    <Center mih="100dvh" p="md" component="main">
      <title>{`Sign in · ${brandName}`}</title>
      <Stack w="100%" maw={360} gap="lg">
        <Stack gap={2} align="center">
          <img src="/icon.svg" alt="" width={40} height={40} />
          <Title order={1}>{brandName}</Title>
          <Text c="dimmed">CSV Processing System</Text>
        </Stack>
        <form onSubmit={signIn} noValidate>
          <Stack gap="md">
            <PasswordInput
              label="Access Key"
              placeholder="Enter your access key"
              autoComplete="current-password"
              autoFocus
              value={accessKey}
              onChange={(event) => setAccessKey(event.currentTarget.value)}
            />
            {login.isError && (
              <Alert role="alert" color="red" icon={<IconAlertTriangle aria-hidden />}>
                {login.error.message || 'Authentication failed'}
              </Alert>
            )}
            <Button type="submit" size="md" disabled={login.isPending} fullWidth>
              {login.isPending ? 'Signing in...' : 'Sign In'}
            </Button>
          </Stack>
        </form>
        <Text size="sm" c="dimmed" ta="center">
          Secure access to your processing dashboard
        </Text>
      </Stack>
    </Center>
  );
}
