import type { Container } from '@binnacle/api-types/core/v1';
import type { CheckDefinition, CheckedPod, Finding } from './check.ts';
import { containersThat, isForWindows, offendersText, quoted } from './offenders.ts';

const ordinary = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** Refuses capabilities beyond the defaults of container runtimes. */
export const baselineCapabilities: CheckDefinition = {
  id: 'capabilities_baseline',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const added = (container: Container) => addedBy(container).filter(name => !ordinary.has(name));
        const found = containersThat(spec, container => added(container).length > 0);
        if (found.length === 0) return undefined;
        const names = quoted(found.flatMap(added));
        const who = offendersText(false, found);
        return {
          rule: 'non-default capabilities',
          detail: `${who} must not include ${names} in securityContext.capabilities.add`,
        };
      },
    },
  ],
};

/** Requires that containers drop all capabilities, and add back NET_BIND_SERVICE at most. */
export const restrictedCapabilities: CheckDefinition = {
  id: 'capabilities_restricted',
  level: 'restricted',
  replaces: 'capabilities_baseline',
  versions: [
    { from: 22, check: allDropped },
    { from: 25, check: pod => (isForWindows(pod.spec) ? undefined : allDropped(pod)) },
  ],
};

function allDropped({ spec }: CheckedPod): Finding | undefined {
  const lacking = containersThat(spec, container => !droppedBy(container).includes('ALL'));
  const added = (container: Container) => addedBy(container).filter(name => name !== 'NET_BIND_SERVICE');
  const adding = containersThat(spec, container => added(container).length > 0);
  const details = [];
  if (lacking.length > 0)
    details.push(`${offendersText(false, lacking)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0)
    details.push(
      `${offendersText(false, adding)} must not include ${quoted(adding.flatMap(added))} in securityContext.capabilities.add`,
    );
  if (details.length === 0) return undefined;
  return { rule: 'unrestricted capabilities', detail: details.join('; ') };
}

function addedBy({ securityContext }: Container): string[] {
  return securityContext?.capabilities?.add ?? [];
}

function droppedBy({ securityContext }: Container): string[] {
  return securityContext?.capabilities?.drop ?? [];
}
