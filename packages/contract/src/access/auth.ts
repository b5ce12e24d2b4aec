import { z } from 'zod';
import { route } from '../route.ts';

export const AuthStatus = z.object({ authenticated: z.boolean(), requiresAuth: z.boolean() });
export type AuthStatus = z.infer<typeof AuthStatus>;

const Success = z.object({ success: z.literal(true), message: z.string() });

export const login = route('login', {
  body: z.object({ accessKey: z.string().max(1024) }),
  reply: Success,
});

export const logout = route('logout', { reply: Success });

export const logoutEverywhere = route('logoutEverywhere', {
  reply: Success,
});

export const authStatus = route('authStatus', { reply: AuthStatus });
