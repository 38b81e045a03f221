import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from '../../support/gateway/gateway.ts';
import { inheritedEnvironment } from '../../support/gateway/process.ts';
import { expectThat, within } from '../finding.ts';
import { ADMIN_TOKEN, callAdmin, type Called } from '../subject/admin-call.ts';
import { writeDocument } from '../subject/documents.ts';
import { ECHO_PATHS, startEchoService } from '../subject/echo-service.ts';
import { Subject } from '../subject/subject.ts';
import type { Target, World } from '../target.ts';
import { CheckerProcess } from './checker-process.ts';
import { type DocumentScript, documentScripts } from './document-scripts.ts';
import { ConfigurationFiles, FUZZED, writeGoodDocument } from './files.ts';
import { startInOwnProcess } from './start-in-own-process.ts';
import { expectGoodResponse, PUBLISHER_TOKEN, useApi, useConfiguration } from './use.ts';
import { expectAgreement, expectNoTrace, isModuleError } from './verdicts.ts';

/** Fuzzes OpenAPI documents and configurations with invalid and malicious input. */
export const document: Target<DocumentScript> = { name: 'document', scripts: documentScripts, open };

const RELOAD_MS = 120_000;

const ENVIRONMENT = {
  // These variables override the configuration, which may name databases that do not exist.
  TOLLGATE_DATABASE: 'sqlite:tollgate.db',
  TOLLGATE_STORE: 'embedded',
  TOLLGATE_LOG_LEVEL: 'info',
  TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
  TOLLGATE_PORT: '0',
  TOLLGATE_ADMIN_PORT: '0',
  TOLLGATE_PORTAL_PORT: '0',
  PUBLISHER_TOKEN,
};

async function open(): Promise<World<DocumentScript>> {
  const service = await startEchoService();
  const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const checker = new CheckerProcess();
  let folder = '';
  const subject = new Subject({
    env: ENVIRONMENT,
    settings(dataDir) {
      folder = dataDir;
      writeGoodDocument(folder);
      const openapi = writeDocument(folder, 'good', ECHO_PATHS);
      const module = join(root, 'test/fuzz/subject/echo-service.ts');
      return {
        upstreams: [
          { name: 'good', prefix: '/good', openapi, module },
          { name: 'fuzzed', openapi: FUZZED, targets: [target], scopes: 'enforce' },
        ],
        adminTokens: [{ name: 'fuzzed', role: 'publisher', upstream: 'fuzzed', token: '${PUBLISHER_TOKEN}' }],
      };
    },
  });
  await subject.start();
  let files = new ConfigurationFiles(folder);
  return {
    async play(script) {
      await subject.play(() => {
        // If the gateway has been replaced after a finding, it has a new folder.
        if (files.folder !== folder) files = new ConfigurationFiles(folder);
        return [playOne(script, { subject, checker, files })];
      });
      subject.expectNoError(isExpected);
    },
    heap: () => subject.heap(),
    async close() {
      await checker.stop();
      await subject.stop();
      service.closeAllConnections();
      service.close();
    },
  };
}

/** True for the only error that may be in the log: the reason why a configuration was rejected. */
function isExpected(line: string): boolean {
  return line.includes('"msg":"configuration not reloaded') && !line.includes('"err":');
}

interface Stage {
  readonly subject: Subject;
  readonly checker: CheckerProcess;
  readonly files: ConfigurationFiles;
}

/** Checks, reloads and starts the same files. The results must agree, and the gateway must still serve requests. */
async function playOne(script: DocumentScript, { subject, checker, files }: Stage): Promise<void> {
  const dataDir = join(files.folder, 'start');
  mkdirSync(dataDir, { recursive: true });
  const env = {
    ...inheritedEnvironment(),
    ...ENVIRONMENT,
    TOLLGATE_CONFIG: join(files.folder, 'gateway.yaml'),
    TOLLGATE_DATA_DIR: dataDir,
  };
  files.write(script);
  const checked = await checker.do({ do: 'check', env });
  expectNoTrace('check', checked);
  const reloaded = await reload(subject);
  expectAgreement(checked, reloaded);
  const isAccepted = reloaded.status === 200;
  if (isAccepted) {
    await useConfiguration(subject);
    if (script.base !== 'configuration') await useApi(subject, checker);
  }
  if (script.start === 'process') await startInOwnProcess(env, checked, isAccepted);
  else if (isAccepted && script.start === 'here') {
    const started = await checker.do({ do: 'start', env });
    if (!isModuleError(started.failure)) expectNoTrace('start', started);
  }
  if (isAccepted && (script.base === 'configuration' || script.base === 'plans')) {
    files.restore();
    const restored = await reload(subject);
    expectThat(restored.status === 200, 'a good configuration is refused', () => restored.text);
  }
  await expectGoodResponse(subject);
}

function reload({ adminPort }: Subject): Promise<Called> {
  return within(RELOAD_MS, 'a reload does not end', callAdmin(adminPort, 'POST', '/v1/config/reload'));
}
