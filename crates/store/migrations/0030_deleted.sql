-- Teams and users that are gone. Their rows stay, because what was booked and the audit log name
-- them. Another team may take the domain.
ALTER TABLE team ADD COLUMN deleted_at BIGINT;
ALTER TABLE app_user ADD COLUMN deleted_at BIGINT;
DROP INDEX team_domain;
CREATE UNIQUE INDEX team_domain ON team (domain) WHERE deleted_at IS NULL;
