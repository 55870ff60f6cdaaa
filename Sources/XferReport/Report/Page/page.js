// @ts-check
// Builds the page for a model.
import { comparisonSection } from './comparison.js';
import { detailsPanel } from './details.js';
import { add, fill } from './dom.js';
import { findingsSection } from './findings.js';
import { aboutSection, showHeader, unknownSection } from './header.js';
import { linkSelection } from './links.js';
import { logSection } from './log.js';
import { renewed } from './renewal.js';
import { requestsSection } from './requests.js';
import { sequenceSection } from './sequence.js';
import { tasksSection } from './tasks.js';
import { timelineSection } from './timeline.js';

/**
 * @param {Element} header
 * @param {Element} main
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
export function showPage(header, main, model, state) {
  showHeader(header, model, state);
  const timeline = timelineSection(model, state);
  const findings = findingsSection(model, state, timeline.reveal);
  fill(main);
  add(main, findings, renewed(state, () => unknownSection(model)), renewed(state, () => comparisonSection(model, state)), timeline.box,
    detailsPanel(model, state), sequenceSection(model, state), tasksSection(model, state), renewed(state, () => requestsSection(model, state)),
    logSection(model, state), renewed(state, () => aboutSection(model)));
  timeline.resize();
  linkSelection(model, state, timeline.reveal);
  document.body.dataset.state = 'ready';
}
