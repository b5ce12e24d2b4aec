import { z } from 'zod';
import { route } from '../route.ts';
import { SuccessReply } from '../values.ts';

export const AuthStatus = z.object({ authenticated: z.boolean(), requiresAuth: z.boolean() });
export type AuthStatus = z.infer<typeof AuthStatus>;

export const login = route('login', {
  body: z.object({ accessKey: z.string().max(1024) }),
  reply: SuccessReply,
});

export const logout = route('logout', { reply: SuccessReply });

export const logoutEverywhere = route('logoutEverywhere', { reply: SuccessReply });

export const authStatus = route('authStatus', { reply: AuthStatus });
