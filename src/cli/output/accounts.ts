import type { AccountAnswer } from '../admin/answers.ts';
import { time } from './format.ts';
import { fields } from './table.ts';

export function accountFields(account: AccountAnswer): string {
  return fields([
    ['id', account.id],
    ['owner', account.owner],
    ['name', account.name],
    ['email', account.email ?? 'none'],
    ['status', account.status],
    ['plan', account.plan],
    ['created', `${time(account.createdAt)} UTC`],
    ['signed in', account.lastSignInAt === null ? 'never' : `${time(account.lastSignInAt)} UTC`],
  ]);
}
