/**
 * The types that the data plane shares with the control plane. The control plane imports nothing else from the data
 * plane; `src/gateway.ts` and `src/assembly/` connect the two.
 */
export type { BanPolicy, BanView } from './admission/ban-rules.ts';
export type { BanChange, BanSource } from './admission/ban-source.ts';
export type { Decision, Outcome } from './admission/decide.ts';
export type { OutageListener } from './admission/resilient/outage.ts';
export type { AdmissionStore } from './admission/store.ts';
export type { MonthView, Usage, WindowView } from './admission/quota-usage.ts';
export type { CallerRefusal, CallerSource, RegisterCallerOptions } from './credentials/caller-source.ts';
export type { CredentialSource, Invalidation } from './credentials/credential-cache.ts';
export type { TryItConnections } from './credentials/try-it-connections.ts';
export type { Refusal } from './exchange/exchange.ts';
export type { DecisionObserver, RequestObserver, RequestRecord } from './exchange/request-record.ts';
export type { CheckedRequest, ValidationObserver } from './validation/checked-request.ts';
export type { OnAddressRefused } from './steps/failed-attempts.ts';
export type { FindPlansIncluding as PlansIncluding } from './steps/included-operations.ts';
export type {
  Action,
  Endpoint,
  EndpointCall,
  FindEndpoint,
  FoundAction,
  FoundEndpoint,
} from './steps/gateway-endpoints.ts';
export type { IssuerReport } from './tokens/open-tokens.ts';
export type { TargetCondition } from './upstreams/upstream.ts';
